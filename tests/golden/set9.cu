#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <mma.h>
#include <stdio.h>
// what public kernels do, as they write it: restrict pointers, structures, templates, halos, tiles, hints, early returns
#define K(x) extern "C" __global__ void x(float*o,const float*a,int n,int s)
#define R(x) extern "C" __global__ void x(float*__restrict__ o,const float*__restrict__ a,int n,int s)
#define C(x,c) extern "C" __global__ void __cluster_dims__(c,1,1) x(float*o,const float*a,int n,int s)
#define I int t=threadIdx.x,i=blockIdx.x*blockDim.x+t;
#define F(j,n) for(int j=0;j<n;j++)
typedef unsigned long long u64;typedef unsigned u32;typedef unsigned char u8;typedef unsigned short u16;
namespace cg=cooperative_groups;using namespace nvcuda;
// vectors, strides, structures
R(a_gs4){const float4*p=(const float4*)a;float4*q=(float4*)o;for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n/16;i+=blockDim.x*gridDim.x){float4 x=p[i],y=p[i+n/16];x.x=2*x.x+y.x;x.y=2*x.y+y.y;x.z=2*x.z+y.z;x.w=2*x.w+y.w;q[i]=x;}}
R(a_gs){for(size_t i=(size_t)blockIdx.x*blockDim.x+threadIdx.x;i<(size_t)n/16-77;i+=(size_t)blockDim.x*gridDim.x)o[i]=a[i]*2+a[i+n];}
struct Part{float x,y,z,vx,vy,vz,m;};
R(a_part){I Part p=((const Part*)a)[i];p.x+=p.vx*0.5f;p.y+=p.vy*0.5f;p.z+=p.vz*0.5f;((Part*)o)[i]=p;}
R(a_part2){I const Part*p=(const Part*)a+i;o[i]=p->m*(p->vx*p->vx+p->vz*p->vz);}
struct Rec{double w;int id,kind;float v[3];short a,b;};
R(a_rec){I const Rec*r=(const Rec*)a+i;if(r->kind!=0)o[i]=r->v[1]+r->v[2]+r->a;else o[i]=(float)r->id+r->b;}
struct __align__(16) Ray{float3 org;float tmin;float3 dir;float tmax;};
R(a_ray){I Ray r=((const Ray*)a)[i];float b=r.org.x*r.dir.x+r.org.y*r.dir.y+r.org.z*r.dir.z;o[i]=b>r.tmax?b:r.tmin;}
R(a_mat4){I const float4*m=(const float4*)a+4*(i&63);float4 v=((const float4*)a)[i+4096];float4 r;r.x=m[0].x*v.x+m[0].y*v.y+m[0].z*v.z+m[0].w*v.w;r.y=m[1].x*v.x+m[1].y*v.y+m[1].z*v.z+m[1].w*v.w;r.z=m[2].x*v.x+m[2].y*v.y+m[2].z*v.z;r.w=1;((float4*)o)[i]=r;}
R(a_hint){I float x=__ldg(a+i),y=__ldcs(a+i+8192),z=__ldcg(a+i+16384),w=__ldca(a+2*i);__stcs(o+i,x+y);__stcg(o+i+8192,z+w);__stwt(o+i+16384,x);}
R(a_chn){const u8*p=(const u8*)a;u8*q=(u8*)o;I u8 r=p[i*3],g=p[i*3+1],b=p[i*3+2];q[i*3]=b;q[i*3+1]=g;q[i*3+2]=r;}
R(a_u3){I uchar3 c=((const uchar3*)a)[i];o[i]=0.299f*c.x+0.587f*c.y+0.114f*c.z;}
R(a_col){I for(int r=0;r<s;r++)o[i*s+r]=a[r*8192+i];}
R(a_s2){I short2 v=((const short2*)a)[i*3];((int*)o)[i]=v.x*v.y;}
R(a_cpx){I struct Z{double re,im;};Z x=((const Z*)a)[i],y=((const Z*)a)[i+8192];Z r={x.re*y.re-x.im*y.im,x.re*y.im+x.im*y.re};((Z*)o)[i]=r;}
// early returns, switches, functions
R(b_ret){I if(i>=8000)return;float x=a[i];if(x<300){o[i]=0;return;}float y=a[i+(int)x];if(y>x)return;o[i]=x+y+a[(int)y];}
R(b_sw){I float v=a[i];switch((int)v%7){case 0:v+=a[i+100];break;case 1:v*=a[i*2];case 2:v-=a[i*3];break;case 3:o[i+8192]=v;break;case 5:v=a[(int)v*8];break;default:v=1;}o[i]=v;}
__device__ __forceinline__ float3 get3(const float*p,int k){return make_float3(p[3*k],p[3*k+1],p[3*k+2]);}
__device__ __forceinline__ float dot3(float3 x,float3 y){return x.x*y.x+x.y*y.y+x.z*y.z;}
R(b_tri){I float3 A=get3(a,(int)a[i]),B=get3(a,(int)a[i+1]),D=get3(a,i);float u=dot3(A,D),v=dot3(B,D);if(u<0||v<0||u+v>1e6f){o[i]=-1;return;}o[i]=dot3(A,B)/(u+1);}
__device__ __noinline__ float far_away(const float*p,int k){float v=0;for(int j=0;j<k;j++)v+=p[j*3];return v;}
R(b_call){I float x=far_away(a+i,4);if(x>900)x+=far_away(a+i+8192,3);o[i]=x;}
R(b_two){I int k=0;for(;;){float x=a[i+k*8];if(x>900)break;k++;if(k==20)break;if(x<50)continue;o[i]=x;}o[i+8192]=k;}
R(b_bnd){int x=blockIdx.x*32+threadIdx.x,y=threadIdx.y;int w=1000;float v=0;for(int dy=-1;dy<=1;dy++)for(int dx=-1;dx<=1;dx++){int xx=x+dx,yy=y+dy;if(xx>=0&&xx<w&&yy>=0&&yy<8)v+=a[yy*w+xx];}o[y*1024+x]=v/9;}
R(b_pad){I float l=i>0?a[i-1]:0,r=i<8191?a[i+1]:0;float m=(i&3)?a[i+4096]:a[i];o[i]=l+r+m;}
R(b_mrg){I int x=i*8,y=i*8+65536,p=0,q=0;float v=0;while(p<8&&q<8){if(a[x+p]<=a[y+q]){v+=a[x+p]*p;p++;}else{v+=a[y+q]*q;q++;}}o[i]=v;}
R(b_bin){I int lo=0,hi=8192,x=(int)a[i]*8;const float*p=a;while(lo<hi){int m=(lo+hi)>>1;if((m*3>>2)+(p[m]>2000)<x)lo=m+1;else hi=m;}o[i]=lo;}
// sparse and graphs
R(c_csr){I const int*rp=(const int*)a;if(i>=8190)return;int b=(i*7)%5000,e=b+((const u32*)a)[i]%9;double v=0;for(int k=b;k<e;++k)v+=(double)a[k]*a[(rp[k]&0xffff)+k];o[i]=v;}
R(c_sub8){I int r=i/8,l=i%8;int b=r*30,e=b+(int)a[r]%60;float v=0;for(int k=b+l;k<e;k+=8)v+=a[k]*a[(int)a[k+65536]];for(int d=4;d>0;d>>=1)v+=__shfl_down_sync(~0u,v,d,8);if(l==0)o[r]=v;}
R(c_sell){I int sl=i/32,w=5+(int)a[sl]%10;float v=0;int base=sl*512+i%32;for(int k=0;k<w;k++){int c=(int)a[base+k*32+1];if(c>=100)v+=a[base+k*32]*a[c];}o[i]=v;}
R(c_pr){I float v=0;int b=i*5,e=b+(int)a[i]%12;for(int k=b;k<e;k++){int u=(int)a[k];v+=a[u]/(1.f+a[u+2048]);}o[i]=0.15f+0.85f*v;}
K(c_bfsq){I auto w=cg::coalesced_threads();int b=i*4,e=b+(int)a[i]%6;for(int k=b;k<e;k++){int u=(int)a[k];if(a[u+4096]>500){auto g=cg::coalesced_threads();int p=0;if(g.thread_rank()==0)p=atomicAdd((int*)o,g.size());p=g.shfl(p,0);o[64+(p+g.thread_rank())%1]=7;}}}
R(c_find){I int p=i,k=0;while(k<50){int q=(int)a[p];if(q%5==0)break;p=q*7+k;k++;}o[i]=p;}
R(c_seg){I int seg=(int)a[i/16]%50;float v=0;int j=i;do{v+=a[j];j+=17;}while(--seg>0);o[i]=v;}
R(c_nest){I float v=0;int m=(int)a[i]%6;for(int j=0;j<m;j++)for(int k=0;k<=j;k++)v+=a[i+j*64+k]*a[k];o[i]=v;}
// shared memory of many kinds
struct Q3{float x,y,z;};
R(s_aos3){I __shared__ Q3 q[256];q[t]=((const Q3*)a)[i];__syncthreads();Q3 p=q[t^5],r=q[(t*7)&255];o[i]=p.x+r.z*p.y;}
struct P4{float4 p;int id;};
R(s_aos5){I __shared__ P4 q[128];if(t<128){q[t].p=((const float4*)a)[i];q[t].id=t;}__syncthreads();float v=0;for(int j=0;j<16;j++)v+=q[(t+j)&127].p.y*q[(t+j)&127].id;o[i]=v;}
R(s_d2){I __shared__ double2 q[256];q[t]=((const double2*)a)[i];__syncthreads();double2 x=q[(t*3)&255],y=q[t/2];o[i]=(x.x<y.y)+(x.y<y.x);}
R(s_h2d){int x=threadIdx.x,y=threadIdx.y;__shared__ half q[32][34];const half*p=(const half*)a;for(int j=0;j<32;j+=8)q[y+j][x]=p[(blockIdx.x*32+y+j)*64+x];__syncthreads();for(int j=0;j<32;j+=8)((half*)o)[(blockIdx.x*32+y+j)*32+x]=q[x][y+j];}
R(s_tr){int x=threadIdx.x,y=threadIdx.y;__shared__ float q[32][33];for(int j=0;j<32;j+=8)q[y+j][x]=a[(y+j)*1024+blockIdx.x*32+x];__syncthreads();for(int j=0;j<32;j+=8)o[(blockIdx.x*32+y+j)*32+x]=q[x][y+j];}
R(s_halo){__shared__ float q[10][34];int x=threadIdx.x,y=threadIdx.y,X=blockIdx.x*32+x+1,W=1100;q[y+1][x+1]=a[(y+1)*W+X];if(x==0)q[y+1][0]=a[(y+1)*W+X-1];if(x==31)q[y+1][33]=a[(y+1)*W+X+1];if(y==0)q[0][x+1]=a[X];if(y==7)q[9][x+1]=a[9*W+X];__syncthreads();o[y*1024+blockIdx.x*32+x]=0.25f*(q[y][x+1]+q[y+2][x+1]+q[y+1][x]+q[y+1][x+2]);}
R(s_lut){I __shared__ float q[256];__shared__ u8 c[256];q[t]=a[t];c[t]=(u8)a[t+256];__syncthreads();u32 x=((const u32*)a)[i];float v=0;for(int j=0;j<4;j++){v+=q[(x>>(8*j))&255]+c[(x>>(8*j+1))&127];}o[i]=v;}
R(s_aes){I __shared__ u32 T[4][256];for(int j=0;j<4;j++)T[j][t]=(u32)a[j*256+t]*2654435761u;__syncthreads();uint4 x=((const uint4*)a)[i];for(int r=0;r<s;r++){uint4 y;y.x=T[0][x.x>>24]^T[1][(x.y>>16)&255]^T[2][(x.z>>8)&255]^T[3][x.w&255];y.y=T[0][x.y>>24]^T[1][(x.z>>16)&255]^T[2][(x.w>>8)&255]^T[3][x.x&255];y.z=T[0][x.z>>24]^T[1][(x.w>>16)&255]^T[2][(x.x>>8)&255]^T[3][x.y&255];y.w=T[0][x.w>>24]^T[1][(x.x>>16)&255]^T[2][(x.y>>8)&255]^T[3][x.z&255];x=y;}((uint4*)o)[i]=x;}
#define CF(k) ((k)+((k)>>5))
R(s_scan){I __shared__ float q[528];int n2=512,f=1;q[CF(t)]=a[blockIdx.x*512+t];q[CF(t+256)]=a[blockIdx.x*512+t+256];for(int d=n2>>1;d>0;d>>=1){__syncthreads();if(t<d){int x=CF(f*(2*t+1)-1),y=CF(f*(2*t+2)-1);q[y]+=q[x];}f*=2;}if(t==0)q[CF(511)]=0;for(int d=1;d<n2;d*=2){f>>=1;__syncthreads();if(t<d){int x=CF(f*(2*t+1)-1),y=CF(f*(2*t+2)-1);float z=q[x];q[x]=q[y];q[y]+=z;}}__syncthreads();o[blockIdx.x*512+t]=q[CF(t)];o[blockIdx.x*512+t+256]=q[CF(t+256)];}
R(s_bit){__shared__ u32 q[512];int t=threadIdx.x;q[t]=(u32)a[blockIdx.x*512+t]*512+t;q[t+256]=(u32)a[blockIdx.x*512+t+256]*512+t+256;for(int k=2;k<=512;k<<=1)for(int j=k>>1;j>0;j>>=1){__syncthreads();int p=2*t-(t&(j-1));u32 x=q[p],y=q[p+j];if((x>y)==((p&k)==0)){q[p]=y;q[p+j]=x;}}__syncthreads();o[blockIdx.x*512+t]=q[t];o[blockIdx.x*512+t+256]=q[t+256];}
R(s_dyn){extern __shared__ char m[];float*f=(float*)m;int*k=(int*)(m+512);u16*h=(u16*)(m+768);I if(t<128)f[t]=a[i];if(t<64)k[t]=(int)a[i+1];if(t<128)h[t]=(u16)a[i+2];__syncthreads();o[i]=f[t&127]+k[(t*5)&63]+h[(t*2)&127];}
R(s_vol){I __shared__ volatile float q[256];q[t]=a[i]+a[i+8192];__syncthreads();if(t<128)q[t]+=q[t+128];__syncthreads();if(t<64)q[t]+=q[t+64];__syncthreads();if(t<32){q[t]+=q[t+32];q[t]+=q[t+16];q[t]+=q[t+8];q[t]+=q[t+4];q[t]+=q[t+2];q[t]+=q[t+1];}if(t==0)o[blockIdx.x]=q[0];}
template<typename T>__device__ T wsum(T v){for(int d=16;d>0;d>>=1)v+=__shfl_down_sync(~0u,v,d);return v;}
template<typename T>__device__ T bsum(T v){__shared__ T q[32];int l=threadIdx.x&31,w=threadIdx.x>>5;v=wsum(v);if(l==0)q[w]=v;__syncthreads();v=threadIdx.x<blockDim.x/32?q[l]:T(0);if(w==0)v=wsum(v);return v;}
R(s_bsum){I float v=0;for(int j=i;j<n/8;j+=gridDim.x*blockDim.x)v+=a[j];v=bsum(v);if(t==0)o[blockIdx.x]=v;}
R(s_bsd){I double v=0;for(int j=i;j<n/16;j+=gridDim.x*blockDim.x)v+=((const float*)a)[j];v=bsum(v);if(t==0)((double*)o)[blockIdx.x]=v;}
// dense algebra and layers
R(m_g64){__shared__ float A[16][64],B[16][64];int t=threadIdx.x,tx=t%16,ty=t/16;float c[4][4]={};int row=blockIdx.x*64;for(int k=0;k<s;k+=16){float4 v=*(const float4*)(a+(row+t/4)*256+k+t%4*4);A[t%4*4][t/4]=v.x;A[t%4*4+1][t/4]=v.y;A[t%4*4+2][t/4]=v.z;A[t%4*4+3][t/4]=v.w;*(float4*)&B[t/16][t%16*4]=*(const float4*)(a+(k+t/16)*64+t%16*4);__syncthreads();
#pragma unroll
for(int p=0;p<16;p++){float4 x=*(float4*)&A[p][ty*4],y=*(float4*)&B[p][tx*4];float X[4]={x.x,x.y,x.z,x.w},Y[4]={y.x,y.y,y.z,y.w};
#pragma unroll
for(int u=0;u<4;u++)
#pragma unroll
for(int w=0;w<4;w++)c[u][w]+=X[u]*Y[w];}__syncthreads();}for(int u=0;u<4;u++)*(float4*)(o+(row+ty*4+u)*64+tx*4)=make_float4(c[u][0],c[u][1],c[u][2],c[u][3]);}
R(m_mv){int w=(blockIdx.x*blockDim.x+threadIdx.x)/32,l=threadIdx.x%32;float v=0;const float4*A=(const float4*)(a+w*512),*x=(const float4*)a;for(int k=l;k<s;k+=32){float4 p=A[k],q=x[k];v+=p.x*q.x+p.y*q.y+p.z*q.z+p.w*q.w;}v=wsum(v);if(l==0)o[w]=v;}
R(m_ln){int l=threadIdx.x;const float*x=a+blockIdx.x*1024;__shared__ float mu,rs;float v=0,w=0;for(int j=l;j<1024;j+=blockDim.x){float y=x[j];v+=y;w+=y*y;}v=bsum(v);if(l==0)mu=v/1024;__syncthreads();w=bsum(w);if(l==0)rs=rsqrtf(w/1024-mu*mu+1e-5f);__syncthreads();for(int j=l;j<1024;j+=blockDim.x)o[blockIdx.x*1024+j]=(x[j]-mu)*rs*a[j]+a[j+1024];}
R(m_osm){int w=(blockIdx.x*blockDim.x+threadIdx.x)/32,l=threadIdx.x%32;const float*x=a+w*s;float m=-1e30f,d=0;for(int j=l;j<s;j+=32){float y=x[j];if(y>m){d*=__expf(m-y);m=y;}d+=__expf(y-m);}for(int k=16;k;k>>=1){float m2=__shfl_xor_sync(~0u,m,k),d2=__shfl_xor_sync(~0u,d,k);float M=fmaxf(m,m2);d=d*__expf(m-M)+d2*__expf(m2-M);m=M;}for(int j=l;j<s;j+=32)o[w*s+j]=__expf(x[j]-m)/d;}
R(m_q4){I const u32*q=(const u32*)a+i*2;const half*sc=(const half*)a+i/16;float v=0;float z=(float)((const u8*)a)[i/16];for(int k=0;k<2;k++){u32 w=q[k];
#pragma unroll
for(int j=0;j<8;j++)v+=((float)((w>>(4*j))&15)-z)*a[k*8+j+(i&63)*16];}o[i]=v+(float)(((const u16*)sc)[0]&7);}
R(m_h8){I uint4 x=((const uint4*)a)[i];const half2*h=(const half2*)&x;half2 v=__float2half2_rn(0);for(int j=0;j<4;j++)v=__hmax2(v,h[j]);((half2*)o)[i]=v;}
R(m_dp){I int v=0;const int4*A=(const int4*)a;for(int k=0;k<s;k++){int4 x=A[i*2+k%2],y=A[k];v=__dp4a(x.x,y.x,v);v=__dp4a(x.y,y.y,v);v=__dp4a(x.z,y.z,v);v=__dp4a(x.w,y.w,v);}o[i]=(float)(v&0xffff);}
R(m_emb){int r=blockIdx.x,t=threadIdx.x;const int id=(int)a[r];const float4*e=(const float4*)a+id*64;for(int j=t;j<64;j+=blockDim.x){float4 x=e[j];float4 p=((const float4*)a)[j];x.x+=p.x;x.y+=p.y;x.z+=p.z;x.w+=p.w;((float4*)o)[r*64+j]=x;}}
R(m_pool){int x=threadIdx.x,y=threadIdx.y+blockIdx.x*8;float m=-1e9f;int k=-1;for(int u=0;u<2;u++)for(int w=0;w<2;w++){float v=a[(y*2+u)*64+x*2+w];if(v>m){m=v;k=(y*2+u)*64+x*2+w;}}o[y*32+x]=m;((int*)o)[65536+y*32+x]=k;}
R(m_conv){int x=threadIdx.x,y=threadIdx.y+blockIdx.x*8;float v=0;for(int c=0;c<s;c++)for(int u=-1;u<=1;u++)for(int w=-1;w<=1;w++){int X=x+w,Y=y+u;if(X<0||X>=32||Y<0||Y>=256)continue;v+=a[c*8192+Y*32+X]*a[c*9+(u+1)*3+w+1];}o[y*32+x]=v;}
R(m_lbm){I int x=i&127,y=i>>7;float f[9];const int cx[9]={0,1,0,-1,0,1,-1,-1,1},cy[9]={0,0,1,0,-1,1,1,-1,-1};
#pragma unroll
for(int k=0;k<9;k++)f[k]=a[k*8192+((y-cy[k])&63)*128+((x-cx[k])&127)];float r=0;
#pragma unroll
for(int k=0;k<9;k++)r+=f[k];
#pragma unroll
for(int k=0;k<9;k++)o[k*8192+i]=f[k]+0.1f*(r/9-f[k]);}
R(m_fd3){int x=threadIdx.x+1,y=threadIdx.y+1;int P=34*10;const float*p=a+blockIdx.x*16*P+y*34+x;float b=p[0],c=p[P],f;for(int z=1;z<s;z++){f=p[(z+1)*P];o[(blockIdx.x*16+z)*256+threadIdx.y*32+threadIdx.x]=c*0.4f+0.1f*(b+f+p[z*P-1]+p[z*P+1]+p[z*P-34]+p[z*P+34]);b=c;c=f;}}
R(m_wmma){__shared__ half dummy;int w=threadIdx.x/32;wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major>A;wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major>B;wmma::fragment<wmma::accumulator,16,16,16,half>c;wmma::fill_fragment(c,__float2half(0.f));const half*p=(const half*)a+(blockIdx.x*8+w)*16*64;for(int k=0;k<s;k+=16){wmma::load_matrix_sync(A,p+k,64);wmma::load_matrix_sync(B,(const half*)a+k*32,32);wmma::mma_sync(c,A,B,c);}wmma::store_matrix_sync((half*)o+(blockIdx.x*8+w)*256,c,16,wmma::mem_row_major);(void)dummy;}
R(m_cpa){__shared__ __align__(16) float q[2][1024];int t=threadIdx.x;const float*p=a+blockIdx.x*4096;__pipeline_memcpy_async(&q[0][t*4],p+t*4,16);__pipeline_commit();float v=0;for(int k=0;k<4;k++){if(k<3){__pipeline_memcpy_async(&q[(k+1)&1][t*4],p+(k+1)*1024+t*4,16);__pipeline_commit();__pipeline_wait_prior(1);}else __pipeline_wait_prior(0);__syncthreads();v+=q[k&1][(t*5)&1023]+q[k&1][t+256];__syncthreads();}o[blockIdx.x*256+t]=v;}
R(m_ldm){__shared__ __align__(16) half q[8][16][24];int t=threadIdx.x,w=t/32,l=t%32;for(int j=l;j<256;j+=32)q[w][j/16][j%16]=((const half*)a)[(blockIdx.x*8+w)*256+j];__syncwarp();u32 r0,r1,r2,r3;u32 ad=(u32)__cvta_generic_to_shared(&q[w][l%16][l/16*8]);asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];":"=r"(r0),"=r"(r1),"=r"(r2),"=r"(r3):"r"(ad));((u32*)o)[blockIdx.x*256+t]=r0^r1*3^r2*5^r3*7;}
// atomics
K(x_fmin){I float x=a[i];int*p=(int*)o+(int)a[i+1]%40;int old=*p;while(__int_as_float(old)<x&&0){old=atomicCAS(p,old,__float_as_int(x));}atomicMax(p,__float_as_int(x));}
K(x_dbl){I atomicAdd((double*)o+i%97,(double)a[i]);}
K(x_inc){I u32 v=atomicInc((u32*)o+i,5);o[i+8192]=v+atomicExch((u32*)o+(i^1)+16384,3u);}
K(x_64){I atomicMax((u64*)o+(int)a[i]%300,(u64)a[i+1]);atomicOr((u32*)o+4096+(i/32)%50,1u<<(i%32));}
K(x_blk){I __shared__ int q[4];if(t<4)q[t]=0;__syncthreads();if(a[i]>500)atomicAdd_block(&q[t&3],(int)a[i]);atomicMin(&q[(t+1)&3],(int)a[i+1]);__syncthreads();if(t<4)atomicAdd((int*)o+t,q[t]);}
K(x_h256){I __shared__ u32 q[256];q[t]=0;__syncthreads();for(int j=i;j<n/64;j+=gridDim.x*blockDim.x){u32 x=((const u32*)a)[j];atomicAdd(&q[x&255],1u);atomicAdd(&q[(x>>8)&255],1u);atomicAdd(&q[(x>>16)&255],1u);atomicAdd(&q[x>>24],1u);}__syncthreads();atomicAdd((u32*)o+t,q[t]);}
K(x_scat){I int d=(int)a[i]*4;atomicAdd(o+d,1.f);atomicAdd(o+d+1,a[i+1]);atomicAdd(o+d+2,a[i+2]);}
K(x_hf){I int b=(int)a[i]%200;atomicAdd(o+b,2.f);}
K(x_hi){I int b=(int)a[i]%200;atomicAdd((int*)o+b,i);}
K(x_hu){I int b=(int)a[i]%1000;atomicAdd((u32*)o+b,1u);}
K(x_hr){I int b=(int)a[i]%77;o[8192+i]=atomicAdd((u32*)o+b,1u)>0;}
#define TS 1
// groups, clusters, loops of unknown length
C(g_clu,4){auto c=cg::this_cluster();__shared__ float q[256];int t=threadIdx.x;q[t]=a[blockIdx.x*256+t];c.sync();float v=0;for(int r=0;r<4;r++)v+=c.map_shared_rank(q,r)[t];c.sync();o[blockIdx.x*256+t]=v;}
R(g_t16){I auto b=cg::this_thread_block();auto g=cg::tiled_partition<16>(b);float v=a[i];v=cg::reduce(g,v,cg::greater<float>());if(g.thread_rank()==0)o[i/16]=v;int m=g.ballot(a[i]>500);o[i+8192]=__popc(m);}
R(g_un4){I float v=0;int e=s+(i&1);
#pragma unroll 4
for(int j=0;j<e;j++)v+=a[j*8192+i];o[i]=v;}
R(g_lst){I int k=(int)a[i]%30,p=i;float v=0;while(k-->0){v+=a[p];p=(int)a[p]*4+k;}o[i]=v;}
R(g_mand){int x=blockIdx.x*32+threadIdx.x,y=threadIdx.y;float cx=x*0.003f-2,cy=y*0.2f-0.8f,zx=0,zy=0;int k=0;for(;k<100;k++){float u=zx*zx,w=zy*zy;if(u+w>4)break;zy=2*zx*zy+cy;zx=u-w+cx;}((uchar4*)o)[y*1024+x]=make_uchar4(k,k*2,k*3,255);}
R(g_str){I const char*p=(const char*)a;char w[4]={0,0,(char)0x80,0x3f};int c=0;for(int j=0;j<16;j++){int k=0;while(k<3&&p[i*16+j+k]==w[k])k++;c+=k==3;}o[i]=c;}
R(g_ins){I float q[8];for(int j=0;j<8;j++)q[j]=1e9f;for(int j=0;j<s;j++){float x=a[i*4+j];for(int k=0;k<8;k++)if(x<q[k]){float y=q[k];q[k]=x;x=y;}}for(int j=0;j<8;j++)o[j*8192+i]=q[j];}
R(g_lev){I int d[17];const u8*p=(const u8*)a;for(int j=0;j<=16;j++)d[j]=j;int m=(int)a[i]%12+1;for(int r=1;r<=m;r++){int pr=d[0];d[0]=r;for(int c=1;c<=16;c++){int z=d[c];int k=p[r*4+3]==p[i*4+c]?0:1;d[c]=min(min(d[c]+1,d[c-1]+1),pr+k);pr=z;}}o[i]=d[(int)a[i+1]%17];}
extern "C" __global__ void __launch_bounds__(256,8) g_spl(float*__restrict__ o,const float*__restrict__ a,int n,int s){I float v[40];for(int j=0;j<40;j++)v[j]=a[i+j*8192];for(int r=0;r<s;r++){
#pragma unroll
for(int j=0;j<40;j++)v[j]=v[j]*v[(j+7)%40]+v[(j+13)%40];}for(int j=0;j<40;j++)o[i+j*8192]=v[j];}
#define L(k,s) {#k,(const void*)k,s,256,1},
#define L1(k,s,x) {#k "@" #x,(const void*)k,s,x,1},
#define L2(k,s,x,y) {#k "@" #x "x" #y,(const void*)k,s,x,y},
static struct{const char*name;const void*f;int s,x,y;}runs[]={
L(a_gs4,0) L1(a_gs4,0,192) L(a_gs,0) L1(a_gs,0,100) L(a_part,0) L1(a_part2,0,96) L(a_rec,0) L(a_ray,0) L(a_mat4,0) L(a_hint,0) L(a_chn,0) L1(a_u3,0,250) L(a_col,5) L(a_s2,0) L(a_cpx,0)
L(b_ret,0) L(b_sw,0) L(b_tri,0) L(b_call,0) L(b_two,0) L2(b_bnd,0,32,8) L(b_pad,0) L(b_mrg,0) L(b_bin,0)
L(c_csr,0) L(c_sub8,0) L(c_sell,0) L(c_pr,0) L(c_bfsq,0) L(c_find,0) L(c_seg,0) L(c_nest,0)
L(s_aos3,0) L(s_aos5,0) L(s_d2,0) L2(s_h2d,0,32,8) L2(s_tr,0,32,8) L2(s_halo,0,32,8) L(s_lut,0) L(s_aes,3) L(s_scan,0) L(s_bit,0) L(s_dyn,0) L(s_vol,0) L(s_bsum,0) L(s_bsd,0)
L(m_g64,128) L(m_mv,100) L(m_ln,0) L1(m_ln,0,128) L(m_osm,100) L(m_q4,0) L(m_h8,0) L(m_dp,7) L1(m_emb,0,32) L2(m_pool,0,32,8) L2(m_conv,3,32,8) L(m_lbm,0) L2(m_fd3,9,32,8) L(m_wmma,64) L(m_cpa,0) L(m_ldm,0)
L(x_fmin,0) L(x_dbl,0) L(x_inc,0) L(x_64,0) L(x_blk,0) L(x_h256,0) L(x_scat,0) L(x_hf,0) L(x_hi,0) L(x_hu,0) L(x_hr,0)
L(g_clu,0) L(g_t16,0) L(g_un4,11) L(g_lst,0) L2(g_mand,0,32,8) L(g_str,0) L(g_ins,9) L(g_lev,0) L(g_spl,3)
};
int main(){float*o,*a;cudaMalloc(&o,1<<24);cudaMalloc(&a,1<<24);static float h[1<<22];unsigned r=1;for(int j=0;j<1<<22;j++){r=r*1664525+1013904223;h[j]=(r>>8)%1000;}cudaMemcpy(a,h,1<<24,cudaMemcpyDefault);int n=1<<20,id=0;
for(auto&u:runs){cudaMemset(o,0,1<<24);void*v[]={&o,&a,&n,&u.s};cudaLaunchKernel(u.f,dim3(32),dim3(u.x,u.y),v,1024,0);cudaError_t e=cudaDeviceSynchronize();
static u32 w[1<<20];cudaMemcpy(w,o,1<<22,cudaMemcpyDefault);u64 q=1469598103934665603ull;for(u32 x:w)q=(q^x)*1099511628211ull;printf("%d,%s,%d,%016llx,%s\n",id++,u.name,u.s,q,cudaGetErrorString(e));fflush(stdout);}}
