#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <mma.h>
#include <stdio.h>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_load.cuh>
// loops with branches in them and lanes that leave, libraries' block primitives, physics, parsers, sparse formats, caches
#define K(x) extern "C" __global__ void x(float*o,const float*a,int n,int s)
#define R(x) extern "C" __global__ void x(float*__restrict__ o,const float*__restrict__ a,int n,int s)
#define I int t=threadIdx.x,i=blockIdx.x*blockDim.x+t;
#define F(j,n) for(int j=0;j<n;j++)
typedef unsigned long long u64;typedef unsigned u32;typedef unsigned char u8;typedef unsigned short u16;
namespace cg=cooperative_groups;using namespace nvcuda;
// loops with something in them
R(l_if){I float v=0;int e=(int)a[i]%20;for(int j=0;j<e;j++){float x=a[i+j*32];if(x>500)v+=a[(int)x];}o[i]=v;}
R(l_if2){I float v=0,w=0;int e=(int)a[i]%20;for(int j=0;j<e;j++){float x=a[i+j];if(x>700)v+=a[(int)x+j];else if(x<200)w+=a[(int)x*2];}o[i]=v*w;}
R(l_sel){I float v=0;int e=(int)a[i]%20;for(int j=0;j<e;j++){float x=a[i+j*16];v=x>v?x:v+1;}o[i]=v;}
R(l_cont){I float v=0;int b=i*3,e=b+(int)a[i]%16;for(int j=b;j<e;j++){int c=(int)a[j];if(c==0)continue;if(c>990)break;v+=a[c];}o[i]=v;}
R(l_two){I float v=0;int j=0,k=0,e=(int)a[i]%10,f=(int)a[i+1]%10;while(j<e||k<f){if(j<e)v+=a[i+j++];if(k<f)v-=a[i+8192+k++];}o[i]=v;}
R(l_dbl){I double v=0;int e=(int)a[i]%16;for(int j=0;j<e;j++){double x=a[i+j];v+=x*x/(x+1);}o[i]=v;}
R(l_st){I int e=(int)a[i]%9;for(int j=0;j<e;j++){o[j*8192+i]=a[j*8192+i]*2;o[(j+16)*8192+i]=j;}}
R(l_sh){I __shared__ float q[256];q[t]=a[i];__syncthreads();int e=(int)q[t]%25;float v=0;for(int j=0;j<e;j++){float x=q[(t+j*j)&255];if(x>v)v=x;}o[i]=v;}
R(l_shw){I __shared__ float q[8][33];int w=t/32,l=t%32;q[w][l]=a[i];__syncwarp();for(int r=0;r<(int)q[w][0]%6;r++){float x=q[w][(l+1)&31];__syncwarp();q[w][l]+=x*0.5f;__syncwarp();}o[i]=q[w][l];}
R(l_sz){I size_t e=(size_t)a[i]%18;float v=0;for(size_t j=0;j<e;++j)v+=a[j*s+i];o[i]=v;}
R(l_rev){I float v=0;for(int j=(int)a[i]%22-1;j>=0;--j)v=v*0.5f+a[j*64+i%64];o[i]=v;}
R(l_geo){I float v=0;for(int j=1;j<=(int)a[i];j*=2)v+=a[i+j];o[i]=v;}
R(l_str){I float v=0;for(int j=t;j<200+(int)a[blockIdx.x];j+=blockDim.x/8)v+=a[j];o[i]=v;}
R(l_f4){I float4 v=make_float4(0,0,0,0);int e=(int)a[i]%14;const float4*p=(const float4*)a+i;for(int j=0;j<e;j++){float4 x=p[j*64];v.x+=x.x;v.y+=x.y;v.z+=x.z;v.w+=x.w;}((float4*)o)[i]=v;}
R(l_hf){I float v=0;int e=(int)a[i]%17;const half*p=(const half*)a;for(int j=0;j<e;j++)v+=__half2float(p[i*4+j])>0;o[i]=v;}
R(l_acc){I float v[4]={};int e=(int)a[i]%12;for(int j=0;j<e;j++){v[0]+=a[i+j];v[1]+=a[i+j+4096];v[2]+=a[i+j+8192];v[3]+=a[i+j+12288];}o[i]=v[0]*v[1]+v[2]*v[3];}
__device__ __forceinline__ float taps(const float*p,int k,int w){float v=0;for(int j=-k;j<=k;j++)v+=p[j*w];return v;}
R(l_inl){I int k=(int)a[i]%4;o[i]=taps(a+i+16384,k,1)+taps(a+i+16384,k+1,128);}
template<int N>__device__ float dotn(const float*x,const float*y){float v=0;
#pragma unroll
for(int j=0;j<N;j++)v+=x[j]*y[j];return v;}
R(l_tpl){I o[i]=dotn<3>(a+i*3,a+9)+dotn<8>(a+i*8,a+i*8+8)+dotn<5>(a+i,a+i+1);}
// libraries
R(u_red){typedef cub::BlockReduce<float,256>B;__shared__ typename B::TempStorage q;I float v=B(q).Sum(a[i]+a[i+8192]);if(!t)o[blockIdx.x]=v;}
R(u_scan){typedef cub::BlockScan<int,256>B;__shared__ typename B::TempStorage q;I int v[4],w[4];for(int j=0;j<4;j++)v[j]=(int)a[i*4+j];B(q).ExclusiveSum(v,w);for(int j=0;j<4;j++)o[i*4+j]=w[j];}
R(u_load){typedef cub::BlockLoad<float,256,4,cub::BLOCK_LOAD_TRANSPOSE>B;__shared__ typename B::TempStorage q;I float v[4];B(q).Load(a+blockIdx.x*1024,v);o[i]=v[0]+v[1]*v[2]-v[3];}
R(u_sort){typedef cub::BlockRadixSort<u32,128,2>B;__shared__ typename B::TempStorage q;I u32 v[2]={(u32)a[i*2],(u32)a[i*2+1]};B(q).Sort(v,0,8);o[i*2]=v[0];o[i*2+1]=v[1];}
R(u_cgr){I auto b=cg::this_thread_block();auto w=cg::tiled_partition<8>(b);float v=a[i];v=cg::inclusive_scan(w,v);__shared__ float q[32];if(w.thread_rank()==7)q[w.meta_group_rank()]=v;b.sync();o[i]=v+(w.meta_group_rank()?q[w.meta_group_rank()-1]:0);}
R(u_cga){auto b=cg::this_thread_block();__shared__ float q[256];int t=threadIdx.x;cg::memcpy_async(b,q,a+blockIdx.x*256,1024);cg::wait(b);o[blockIdx.x*256+t]=q[255-t];}
R(u_lab){I auto w=cg::coalesced_threads();auto g=cg::labeled_partition(w,(int)a[i]%5);float v=cg::reduce(g,a[i],cg::plus<float>());if(g.thread_rank()==0)o[i]=v;}
// dense and sparse
R(d_g8){__shared__ float A[8][128],B[8][128];int t=threadIdx.x;float c[8][8]={};int ty=t/16,tx=t%16;for(int k=0;k<s;k+=8){float4 v=*(const float4*)(a+(t/2)*64+k+t%2*4);A[t%2*4][t/2]=v.x;A[t%2*4+1][t/2]=v.y;A[t%2*4+2][t/2]=v.z;A[t%2*4+3][t/2]=v.w;*(float4*)&B[t/32][t%32*4]=*(const float4*)(a+(k+t/32)*128+t%32*4);__syncthreads();
#pragma unroll
for(int p=0;p<8;p++){float x[8],y[8];
#pragma unroll
for(int j=0;j<8;j+=4){*(float4*)(x+j)=*(float4*)&A[p][ty*8+j];*(float4*)(y+j)=*(float4*)&B[p][tx*8+j];}
#pragma unroll
for(int u=0;u<8;u++)
#pragma unroll
for(int w=0;w<8;w++)c[u][w]+=x[u]*y[w];}__syncthreads();}for(int u=0;u<8;u++)for(int w=0;w<8;w+=4)*(float4*)(o+blockIdx.x*16384+(ty*8+u)*128+tx*8+w)=make_float4(c[u][w],c[u][w+1],c[u][w+2],c[u][w+3]);}
R(d_tile){__shared__ float A[32][32],B[32][33];int x=threadIdx.x,y=threadIdx.y,b=blockIdx.x;float v[4]={};for(int k=0;k<s;k+=32){for(int j=0;j<32;j+=8){A[y+j][x]=a[(b*32+y+j)*128+k+x];B[y+j][x]=a[(k+y+j)*32+x];}__syncthreads();for(int p=0;p<32;p++)for(int j=0;j<4;j++)v[j]+=A[y+j*8][p]*B[p][x];__syncthreads();}for(int j=0;j<4;j++)o[(b*32+y+j*8)*32+x]=v[j];}
R(d_mvd){I const double*A=(const double*)a;double v=0;if(i<8000)for(int j=0;j<s;j++)v+=A[j*8192+i]*A[j];if(i<8000)o[i]=(float)(v>0);}
R(d_bcsr){int w=(blockIdx.x*blockDim.x+threadIdx.x)/32,l=threadIdx.x%32,r=l/4,c=l%4;float v=0;int b=w*3,e=b+1+(int)a[w]%5;for(int k=b;k<e;k++){v+=a[k*32+r*4+c]*a[((int)a[k]%100)*4+c];}v+=__shfl_xor_sync(~0u,v,1);v+=__shfl_xor_sync(~0u,v,2);if(c==0)o[w*8+r]=v;}
R(d_dia){I float v=0;const int off[5]={-128,-1,0,1,128};
#pragma unroll
for(int k=0;k<5;k++){int c=i+off[k];if(c>=0&&c<8192)v+=a[k*8192+i]*a[65536+c];}o[i]=v;}
R(d_hyb){I float v=0;for(int k=0;k<4;k++){int c=(int)a[k*8192+i]-1;if(c>=0)v+=a[(k+8)*8192+i]*a[c];}o[i]=v;}
R(d_ts){__shared__ float q[32][33];int t=threadIdx.x;for(int j=0;j<32;j++)q[j][t]=a[blockIdx.x*1024+j*32+t]+(j==t?2000:0);__syncwarp();float x=a[t];for(int k=0;k<32;k++){float p=__shfl_sync(~0u,x/q[k][k],k);if(t==k)x=p;if(t>k)x-=q[t][k]*p;}o[blockIdx.x*32+t]=x;}
R(d_qr){I float A[3][3],r[6];for(int j=0;j<9;j++)A[j/3][j%3]=a[j*8192+i];r[0]=A[0][0]*A[0][0]+A[1][0]*A[1][0]+A[2][0]*A[2][0];for(int j=1;j<3;j++){float d=0;for(int k=0;k<3;k++)d+=A[k][0]*A[k][j];r[j]=d;}for(int j=0;j<3;j++)o[j*8192+i]=r[j];}
// flash attention in small
R(n_fa){__shared__ float k_[32][33],v_[32][33];int t=threadIdx.x,w=t/32,l=t%32;float q=a[(blockIdx.x*8+w)*32+l],m=-1e30f,z=0,acc=0;for(int b=0;b<s;b++){for(int r=w;r<32;r+=8){k_[r][l]=a[(b*32+r)*32+l];v_[r][l]=a[32768+(b*32+r)*32+l];}__syncthreads();float d=0;for(int j=0;j<32;j++)d+=__shfl_sync(~0u,q,j)*k_[l][j];d*=1e-6f;float M=d;for(int x=16;x;x>>=1)M=fmaxf(M,__shfl_xor_sync(~0u,M,x));M=fmaxf(M,m);float p=__expf(d-M),c=__expf(m-M);float ps=p;for(int x=16;x;x>>=1)ps+=__shfl_xor_sync(~0u,ps,x);z=z*c+ps;acc*=c;for(int j=0;j<32;j++)acc+=__shfl_sync(~0u,p,j)*v_[j][l];m=M;__syncthreads();}o[(blockIdx.x*8+w)*32+l]=acc/z;}
R(n_rope){I const half2*p=(const half2*)a;float2 x=__half22float2(p[i]);float f=(i%32)*0.01f,c=__cosf(f),d=__sinf(f);((half2*)o)[i]=__floats2half2_rn(x.x*c-x.y*d,x.x*d+x.y*c);}
R(n_gelu){I const float4*p=(const float4*)a;float4 x=p[i];x.x*=x.x>0?1:0.1f;x.y*=x.y>500?1:0.1f;x.z=fmaxf(x.z,3);x.w=fminf(x.w,600);((float4*)o)[i]=x;}
R(n_drop){I u32 r=i*747796405u+2891336453u;for(int j=0;j<4;j++){r^=r>>16;r*=0x85ebca6b;o[j*8192+i]=r>0x40000000u?a[j*8192+i]*1.25f:0;}}
R(n_im2){I int c=i/1024,y=i/32%32,x=i%32;for(int u=0;u<3;u++)for(int w=0;w<3;w++){int Y=y+u-1,X=x+w-1;o[((c*9+u*3+w)*32+y)*32+x]=Y>=0&&Y<32&&X>=0&&X<32?a[(c*32+Y)*32+X]:0;}}
R(n_up){I int x=i%128,y=i/128;float u=x*0.5f,w=y*0.5f;int X=(int)u,Y=(int)w,X1=min(X+1,63),Y1=min(Y+1,31);float f=u-X,g=w-Y;o[i]=(1-g)*((1-f)*a[Y*64+X]+f*a[Y*64+X1])+g*((1-f)*a[Y1*64+X]+f*a[Y1*64+X1]);}
R(n_nms){I float4 b=((const float4*)a)[i];u64 m=0;__shared__ float4 q[64];if(t<64)q[t]=((const float4*)a)[t];__syncthreads();for(int j=0;j<64;j++){float4 c=q[j];float w=fminf(b.z,c.z)-fmaxf(b.x,c.x),h=fminf(b.w,c.w)-fmaxf(b.y,c.y);if(w>0&&h>0&&w*h>10000)m|=1ull<<j;}((u64*)o)[i]=m;}
R(n_top){I float m1=-1,m2=-1;int k1=0;for(int j=t%32;j<s;j+=32){float x=a[(i/32)*s+j];if(x>m1){m2=m1;m1=x;k1=j;}else if(x>m2)m2=x;}for(int d=16;d;d/=2){float y1=__shfl_xor_sync(~0u,m1,d);int z=__shfl_xor_sync(~0u,k1,d);if(y1>m1){m1=y1;k1=z;}}if(t%32==0){o[i/32]=m1;o[i/32+1024]=k1;}o[i+4096]=m2;}
// physics, parsers, caches
R(p_md){I float4 p=((const float4*)a)[i%512];float f=0;for(int j=0;j<s;j++){float4 q=((const float4*)a)[(i+j*7)%512];float dx=p.x-q.x,dy=p.y-q.y,dz=p.z-q.z,r=dx*dx+dy*dy+dz*dz;if(r<200000&&r>0){float r2=1/r,r6=r2*r2*r2;f+=r6*(r6-0.5f)*r2*dx;}}o[i]=f;}
R(p_cell){I int c=(int)a[i]%16,v=0;for(int d=-1;d<=1;d++){int e=c+d;if(e<0||e>15)continue;int b=(int)a[e]%50,z=b+(int)a[e+16]%8;for(int k=b;k<z;k++)if(a[k]>a[i])v++;}o[i]=v;}
R(p_walk){I u32 r=i+1;int x=64,y=64;for(int k=0;k<40;k++){r=r*1664525u+1013904223u;int d=r>>30;x+=(d==0)-(d==1);y+=(d==2)-(d==3);if(a[y*128+x]>980)break;}o[i]=y*128+x;}
R(p_ray){I float x=0,y=i%64,dx=0.7f,dy=(i%7)*0.1f;int h=0;for(int k=0;k<60;k++){x+=dx;y+=dy;int X=(int)x&63,Y=(int)y&63;if(a[Y*64+X]>930){h=k+1;break;}}o[i]=h;}
R(p_csv){I const u8*p=(const u8*)a+i*32;int f=0,v=0;for(int k=0;k<32;k++){u8 c=p[k];if(c==0){f++;continue;}if(c>=128)v=v*10+(c&15);else break;}o[i]=v+f;}
R(p_utf){I u32 w=((const u32*)a)[i];int c=0;
#pragma unroll
for(int k=0;k<4;k++)c+=((w>>(8*k))&0xc0)!=0x80;for(int d=16;d;d/=2)c+=__shfl_xor_sync(~0u,c,d);__shared__ int q[8];if(t%32==0)q[t/32]=c;__syncthreads();if(t==0){int v=0;for(int k=0;k<8;k++)v+=q[k];o[blockIdx.x]=v;}}
R(p_crc){I __shared__ u32 q[256];u32 c=t;for(int k=0;k<8;k++)c=c&1?0xedb88320u^(c>>1):c>>1;q[t]=c;__syncthreads();const u8*p=(const u8*)a+i*16;u32 r=~0u;for(int k=0;k<16;k++)r=q[(r^p[k])&255]^(r>>8);((u32*)o)[i]=~r;}
R(p_sha){I u32 w[16];const uint4*p=(const uint4*)a+i*4;
#pragma unroll
for(int k=0;k<4;k++){uint4 x=p[k];w[4*k]=x.x;w[4*k+1]=x.y;w[4*k+2]=x.z;w[4*k+3]=x.w;}u32 h=0x6a09e667;
#pragma unroll
for(int k=0;k<48;k++){u32 x=w[(k+1)&15],y=w[(k+14)&15];w[k&15]+=((x>>7|x<<25)^(x>>18|x<<14)^x>>3)+w[(k+9)&15]+((y>>17|y<<15)^(y>>19|y<<13)^y>>10);h+=w[k&15];}((u32*)o)[i]=h;}
R(p_wave){I int x=i%128,y=i/128;if(x<2||x>=126||y<2||y>=62)return;const float*p=a+i;float l=(-p[-2]+16*p[-1]-30*p[0]+16*p[1]-p[2])+(-p[-256]+16*p[-128]-30*p[0]+16*p[128]-p[256]);o[i]=2*p[0]-a[i+8192]+0.001f*l;}
R(p_ch2){I const float2*p=(const float2*)a;int k=(int)p[i].x;float2 x=p[k],y=p[k+1];((float2*)o)[i]=make_float2(x.x+y.y,x.y-y.x);}
K(p_prv){I int q[4];for(int k=0;k<4;k++)q[k]=0;for(int k=0;k<s;k++){int c=(int)a[i+k*256]&3;q[c]+=k;}o[i]=q[(int)a[i]&3];}
K(p_stk){I int st[16],sp=0,v=0;st[sp++]=(int)a[i]%100;while(sp>0){int x=st[--sp];v+=x;if(x>3&&sp<14){int y=(int)a[x]%(x/2);st[sp++]=y;if(y>20)st[sp++]=y/2;}}o[i]=v;}
K(p_fs){I __shared__ float q[64];if(t<64)q[t]=0;__syncthreads();atomicAdd(&q[t%61],a[i]);__syncthreads();if(t<64)o[blockIdx.x*64+t]=q[t];}
extern "C" __global__ void __maxnreg__(32) p_spl(float*__restrict__ o,const float*__restrict__ a,int n,int s){I float v[24];for(int j=0;j<24;j++)v[j]=a[i+j*8192];for(int r=0;r<s;r++){
#pragma unroll
for(int j=0;j<24;j++)v[j]=fmaf(v[j],v[(j+5)%24],v[(j+11)%24]);}for(int j=0;j<24;j++)o[i+j*8192]=v[j];}
#define L(k,s) {#k,(const void*)k,s,256,1},
#define L1(k,s,x) {#k "@" #x,(const void*)k,s,x,1},
#define L2(k,s,x,y) {#k "@" #x "x" #y,(const void*)k,s,x,y},
static struct{const char*name;const void*f;int s,x,y;}runs[]={
L(l_if,0) L(l_if2,0) L(l_sel,0) L(l_cont,0) L(l_two,0) L(l_dbl,0) L(l_st,0) L(l_sh,0) L(l_shw,0) L(l_sz,40) L(l_rev,0) L(l_geo,0) L(l_str,0) L(l_f4,0) L(l_hf,0) L(l_acc,0) L(l_inl,0) L(l_tpl,0) L(u_red,0) L(u_scan,0) L(u_load,0) L1(u_sort,0,128) L(u_cgr,0) L(u_cga,0) L(u_lab,0) L(d_g8,64) L2(d_tile,128,32,8) L(d_mvd,9) L(d_bcsr,0) L(d_dia,0) L(d_hyb,0) L1(d_ts,0,32) L(d_qr,0) L(n_fa,2) L(n_rope,0) L(n_gelu,0) L(n_drop,0) L(n_im2,0) L(n_up,0) L(n_nms,0) L(n_top,77) L(p_md,20) L(p_cell,0) L(p_walk,0) L(p_ray,0) L(p_csv,0) L(p_utf,0) L(p_crc,0) L(p_sha,0) L(p_wave,0) L(p_ch2,0) L(p_prv,13) L(p_stk,0) L(p_fs,0) L(p_spl,2) L1(l_if,0,70) L1(l_str,0,160)
};
int main(){float*o,*a;cudaMalloc(&o,1<<24);cudaMalloc(&a,1<<24);static float h[1<<22];unsigned r=1;for(int j=0;j<1<<22;j++){r=r*1664525+1013904223;h[j]=(r>>8)%1000;}cudaMemcpy(a,h,1<<24,cudaMemcpyDefault);int n=1<<20,id=0;
for(auto&u:runs){cudaMemset(o,0,1<<24);void*v[]={&o,&a,&n,&u.s};cudaLaunchKernel(u.f,dim3(32),dim3(u.x,u.y),v,1024,0);cudaError_t e=cudaDeviceSynchronize();
static u32 w[1<<20];cudaMemcpy(w,o,1<<22,cudaMemcpyDefault);u64 q=1469598103934665603ull;for(u32 x:w)q=(q^x)*1099511628211ull;printf("%d,%s,%d,%016llx,%s\n",id++,u.name,u.s,q,cudaGetErrorString(e));fflush(stdout);}}
