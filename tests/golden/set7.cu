#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <mma.h>
#include <stdio.h>
// what people write: sparse and dense algebra, sums, scans, sorts, graphs, images, strings, dynamic programmes, and loops
// that lanes leave apart
#define K(x) extern "C" __global__ void x(float*o,const float*a,int n,int s)
#define C(x,c) extern "C" __global__ void __cluster_dims__(c,1,1) x(float*o,const float*a,int n,int s)
#define I int t=threadIdx.x,i=blockIdx.x*blockDim.x+t;
#define F(j,n) for(int j=0;j<n;j++)
typedef unsigned long long u64;typedef unsigned u32;typedef unsigned char u8;
namespace cg=cooperative_groups;using namespace nvcuda;
// sparse
K(v_csr){I int b=i*6+(int)a[i]%4,e=b+(int)a[i+7]%18;float v=0;for(int j=b;j<e;j++)v+=a[j]*a[(int)a[j+4096]*4];o[i]=v;}
K(v_csru){I u32 b=i*6,e=b+(u32)a[i+7]%18;float v=0;for(u32 j=b;j<e;j++)v+=a[j]*a[(int)a[j]];o[i]=v;}
K(v_csrl){I const int*p=(const int*)a;size_t b=i*5,e=b+p[i]%13%11;float v=0;for(size_t j=b;j<e;j++)v+=a[j]*a[j+64];o[i]=v;}
K(v_ell){I float v=0;F(j,(int)a[i]%9)v+=a[j*8192+i]*a[(int)a[j*8192+i+1]];o[i]=v;}
K(v_coo){I int r=(int)a[i]%512;atomicAdd(o+r,a[i+1]*a[(int)a[i+2]]);}
K(v_warp){I int w=i/32,l=i%32,b=w*40,e=b+(int)a[w]%100;float v=0;for(int j=b+l;j<e;j+=32)v+=a[j]*a[(int)a[j]];for(int d=16;d;d/=2)v+=__shfl_down_sync(~0u,v,d);if(!l)o[w]=v;}
K(v_bsr){I int w=i/32,l=i%32;float v=0;for(int b=0;b<1+(int)a[w]%5;b++)v+=a[w*320+b*64+l*2]*a[(int)a[b+w]*2+l%4];o[i]=v;}
// loops that lanes leave apart
K(d_tri){I float v=0;for(int j=t;j<256;j++)v+=a[j*64];o[i]=v;}
K(d_trid){I float v=0;for(int j=t;j>=0;j--)v+=a[j+i];o[i]=v;}
K(d_step3){I float v=0;for(int j=0;j<(int)a[i]%50;j+=3)v+=a[i+j];o[i]=v;}
K(d_do){I float v=0;int j=(int)a[i]%20;do{v+=a[i+j*8];j--;}while(j>0);o[i]=v;}
K(d_whl){I float v=0;int j=(int)a[i]%30;while(j--)v+=a[j*32];o[i]=v;}
K(d_uns){I float v=0;for(u32 j=0;j<(u32)a[i]%21;j++)v+=a[i+j];o[i]=v;}
K(d_lng){I float v=0;long e=(long)a[i]%21;for(long j=0;j<e;j+=2)v+=a[i+j];o[i]=v;}
K(d_ptr){I float v=0;const float*p=a+i,*q=p+(int)a[i]%19;while(p!=q)v+=*p++;o[i]=v;}
K(d_ptr2){I float v=0;const float*p=a+i,*q=p+(int)a[i]%19;for(;p<q;p+=2)v+=*p;o[i]=v;}
K(d_u1){I float v=0;int e=(int)a[i]%24;
#pragma unroll 1
for(int j=0;j<e;j++)v+=a[i+j];o[i]=v;}
K(d_u2){I float v=0;int e=(int)a[i]%24;
#pragma unroll 2
for(int j=0;j<e;j++)v+=a[i+j];o[i]=v;}
K(d_u8){I float v=0;int e=(int)a[i]%60;
#pragma unroll 8
for(int j=0;j<e;j++)v+=a[i+j*2];o[i]=v;}
K(d_two){I float v=0,w=0;int e=(int)a[i]%24;for(int j=0;j<e;j++){v+=a[i+j];w+=a[i+j*32+8192];}o[i]=v*w;}
K(d_sten){I float v=0;int e=1+(int)a[i]%24;for(int j=1;j<e;j++)v+=a[i+j-1]+2*a[i+j]+a[i+j+1];o[i]=v;}
K(d_big){I float v=0;int e=(int)a[i]%12;for(int j=0;j<e;j++){float x=a[i+j];v+=expf(x*0.001f)*logf(x+1)+sqrtf(x);}o[i]=v;}
K(d_sin){I float v=0;int e=(int)a[i]%12;for(int j=0;j<e;j++)v+=__sinf(a[i+j]);o[i]=v;}
K(d_div){I float v=0;int e=(int)a[i]%12;for(int j=0;j<e;j++)v+=a[i+j]/(a[i+j+1]+1);o[i]=v;}
K(d_dbl){I double v=0;int e=(int)a[i]%20;for(int j=0;j<e;j++)v+=((const double*)a)[i+j];o[i]=v;}
K(d_f4){I float4 v={};int e=(int)a[i]%20;for(int j=0;j<e;j++){float4 x=((const float4*)a)[i+j];v.x+=x.x;v.y+=x.w;}o[i]=v.x+v.y;}
K(d_byt){I int v=0;int e=(int)a[i]%40;const u8*p=(const u8*)a;for(int j=0;j<e;j++)v+=p[i*4+j];o[i]=v;}
K(d_shm){I __shared__ float q[512];q[t]=a[i];q[t+256]=a[i+8192];__syncthreads();float v=0;for(int j=t;j<t+(int)q[t]%30;j++)v+=q[j];o[i]=v;}
K(d_sto){I int e=(int)a[i]%13;for(int j=0;j<e;j++)o[i*16+j]=j;}
K(d_brk){I float v=0;for(int j=0;j<64;j++){float x=a[i+j];v+=x;if(v>5000)break;}o[i]=v;}
K(d_con){I float v=0;int e=(int)a[i]%30;for(int j=0;j<e;j++){if(j%3==1)continue;v+=a[i+j];}o[i]=v;}
K(d_nst){I float v=0;for(int j=0;j<(int)a[i]%5;j++)for(int k=0;k<(int)a[i+j]%9;k++)v+=a[i+j*32+k];o[i]=v;}
K(d_cmp){I float v=0;for(int j=0;j<16;j++){int c=(int)a[i+j]%7;v+=c==0?a[i]:c<3?a[i+c*32]:0;}o[i]=v;}
K(d_list){I int p=i,h=0;for(int j=0;j<(int)a[i]%15;j++){p=(int)a[p]*8+j;h^=p;}o[i]=h;}
K(d_col){I int x=i+1,c=0;while(x!=1&&c<40){x=x&1?3*x+1:x/2;c++;o[i+c%2*8192]=x;}o[i]=c;}
// sums and scans
K(r_blk){I __shared__ float q[256];q[t]=a[i];__syncthreads();for(int d=128;d>32;d/=2){if(t<d)q[t]+=q[t+d];__syncthreads();}if(t<32){volatile float*p=q;p[t]+=p[t+32];p[t]+=p[t+16];p[t]+=p[t+8];p[t]+=p[t+4];p[t]+=p[t+2];p[t]+=p[t+1];}if(!t)o[blockIdx.x]=q[0];}
K(r_int){I __shared__ float q[256];q[t]=a[i];__syncthreads();for(int d=1;d<256;d*=2){int k=2*d*t;if(k<256)q[k]+=q[k+d];__syncthreads();}if(!t)o[blockIdx.x]=q[0];}
K(r_shf){I float v=0;for(int j=i;j<n/16;j+=8192)v+=a[j];for(int d=16;d;d/=2)v+=__shfl_xor_sync(~0u,v,d);__shared__ float q[8];if(t%32==0)q[t/32]=v;__syncthreads();if(t<8){v=q[t];for(int d=4;d;d/=2)v+=__shfl_down_sync(255,v,d);if(!t)atomicAdd(o,v);}}
K(r_arg){I float v=a[i];int k=i;for(int d=16;d;d/=2){float w=__shfl_down_sync(~0u,v,d);int m=__shfl_down_sync(~0u,k,d);if(w>v)v=w,k=m;}if(t%32==0)o[i/32]=v,o[i/32+1024]=k;}
K(r_cg){I auto b=cg::this_thread_block();auto w=cg::tiled_partition<32>(b);float v=cg::reduce(w,a[i],cg::plus<float>());int x=cg::inclusive_scan(w,(int)a[i]);o[i]=v+x;}
K(s_hil){I __shared__ float q[512];int p=0;q[t]=a[i];__syncthreads();for(int d=1;d<256;d*=2){q[(1-p)*256+t]=t>=d?q[p*256+t]+q[p*256+t-d]:q[p*256+t];p=1-p;__syncthreads();}o[i]=q[p*256+t];}
K(s_ble){I __shared__ int q[512];q[2*t]=a[2*i],q[2*t+1]=a[2*i+1];int f=1;for(int d=256;d;d/=2){__syncthreads();if(t<d){int x=f*(2*t+1)-1,y=f*(2*t+2)-1;q[y]+=q[x];}f*=2;}if(!t)q[511]=0;for(int d=1;d<512;d*=2){f/=2;__syncthreads();if(t<d){int x=f*(2*t+1)-1,y=f*(2*t+2)-1,z=q[x];q[x]=q[y];q[y]+=z;}}__syncthreads();o[2*i]=q[2*t];o[2*i+1]=q[2*t+1];}
K(s_wrp){I int v=a[i];for(int d=1;d<32;d*=2){int w=__shfl_up_sync(~0u,v,d);if(t%32>=d)v+=w;}__shared__ int q[8];if(t%32==31)q[t/32]=v;__syncthreads();int b=0;F(j,t/32)b+=q[j];o[i]=v+b;}
K(s_cmpt){I __shared__ int c;if(!t)c=0;__syncthreads();float x=a[i];u32 m=__ballot_sync(~0u,x>500);int l=t%32,b=0;if(!l)b=atomicAdd(&c,__popc(m));b=__shfl_sync(~0u,b,0);if(x>500)o[blockIdx.x*256+(b+__popc(m&((1u<<l)-1)))%256]=1;}
// histograms
K(h_shr){I __shared__ int q[64];if(t<64)q[t]=0;__syncthreads();F(j,4)atomicAdd(q+(int)a[i+j*8192]%64,1);__syncthreads();if(t<64)atomicAdd((int*)o+t,q[t]);}
K(h_wgt){I __shared__ int q[64];if(t<64)q[t]=0;__syncthreads();F(j,4)atomicAdd(q+(int)a[i+j*8192]%64,j+2);__syncthreads();if(t<64)atomicAdd((int*)o+t,q[t]);}
K(h_prv){I __shared__ int q[8][65];F(j,2)q[t/32][t%32+j*32]=0;__syncwarp();F(j,4)atomicAdd(&q[t/32][(int)a[i+j*8192]%64],1);__syncthreads();if(t<64){int v=0;F(j,8)v+=q[j][t];o[blockIdx.x*64+t]=v;}}
K(h_glb){I atomicAdd((int*)o+(int)a[i]%s,1);}
K(h_max){I atomicMax((int*)o+(int)a[i]%16,(int)a[i+1]);}
K(h_loc){I int c[4]={};F(j,8)c[(int)a[i*8+j]%4]++;o[i]=c[0]+c[1]*10+c[2]*100+c[3]*1000;}
// dense algebra
K(m_til){I __shared__ float A[16][16],B[16][16];int x=t%16,y=t/16,r=blockIdx.x/8*16+y,c=blockIdx.x%8*16+x;float v=0;for(int k=0;k<128;k+=16){A[y][x]=a[r*128+k+x];B[y][x]=a[(k+y)*128+c];__syncthreads();F(j,16)v+=A[y][j]*B[j][x];__syncthreads();}o[r*128+c]=v;}
K(m_pad){I __shared__ float A[16][17],B[16][17];int x=t%16,y=t/16,r=blockIdx.x/8*16+y,c=blockIdx.x%8*16+x;float v=0;for(int k=0;k<128;k+=16){A[y][x]=a[r*128+k+x];B[x][y]=a[(k+y)*128+c];__syncthreads();F(j,16)v+=A[y][j]*B[x][j];__syncthreads();}o[r*128+c]=v;}
K(m_reg){I __shared__ float A[64][8],B[8][64];int x=t%16,y=t/16;float v[4][4]={};for(int k=0;k<64;k+=8){F(j,2)A[t/4][t%4*2+j]=a[(blockIdx.x*64+t/4)*64+k+t%4*2+j];F(j,2)B[t/32][t%32*2+j]=a[(k+t/32)*64+t%32*2+j];__syncthreads();F(p,8){float b[4];F(j,4)b[j]=B[p][x*4+j];F(q,4){float z=A[y*4+q][p];F(j,4)v[q][j]+=z*b[j];}}__syncthreads();}F(q,4)F(j,4)o[(blockIdx.x*64+y*4+q)*64+x*4+j]=v[q][j];}
K(m_vec){I float v=0;for(int j=0;j<n/8192;j++)v+=a[i*128+j]*a[j];o[i]=v;}
K(m_vect){I float v=0;for(int j=0;j<n/8192;j++)v+=a[j*8192+i]*a[j];o[i]=v;}
K(m_dbl){I const double*d=(const double*)a;__shared__ double A[16][16],B[16][16];int x=t%16,y=t/16;double v=0;for(int k=0;k<64;k+=16){A[y][x]=d[(blockIdx.x*16+y)*64+k+x];B[y][x]=d[(k+y)*16+x];__syncthreads();F(j,16)v+=A[y][j]*B[j][x];__syncthreads();}o[i]=v;}
K(m_wmma){I __shared__ __align__(32) half q[8][512];int w=t/32,l=t%32;for(int j=l;j<512;j+=32)q[w][j]=half((int)a[(i/32)*512+j]%8);__syncwarp();wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major>A;wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major>B;wmma::fragment<wmma::accumulator,16,16,16,float>c;wmma::fill_fragment(c,0.f);wmma::load_matrix_sync(A,q[w],16);wmma::load_matrix_sync(B,q[w]+256,16);wmma::mma_sync(c,A,B,c);wmma::store_matrix_sync(o+i/32*256,c,16,wmma::mem_row_major);}
K(m_chol){I __shared__ float q[16][17];if(t<16)F(j,16)q[t][j]=a[j*16+t]+(t==j?9000:0);__syncthreads();F(k,16){if(t==k)q[k][k]=sqrtf(q[k][k]);__syncthreads();if(t>k&&t<16)q[t][k]/=q[k][k];__syncthreads();if(t>k&&t<16)for(int j=k+1;j<=t;j++)q[t][j]-=q[t][k]*q[j][k];__syncthreads();}if(t<16)F(j,16)o[blockIdx.x*256+t*16+j]=q[t][j];}
K(m_floyd){I __shared__ float q[16][16];int x=t%16,y=t/16;q[y][x]=a[i];__syncthreads();F(k,16){float v=fminf(q[y][x],q[y][k]+q[k][x]);__syncthreads();q[y][x]=v;__syncthreads();}o[i]=q[y][x];}
K(m_thom){I float c[8],d[8];c[0]=a[i]/1001;d[0]=a[i+8192];for(int j=1;j<8;j++){float m=1/(1001-a[i+j*8192]*c[j-1]);c[j]=a[i+j*4096]*m;d[j]=(a[i+j*8192]-d[j-1])*m;}float x=d[7];o[i+7*8192]=x;for(int j=6;j>=0;j--)x=d[j]-c[j]*x,o[i+j*8192]=x;}
K(m_dp4){I int v=0;const int*p=(const int*)a;F(j,16)v=__dp4a(p[i*16+j],p[j],v);o[i]=v&0xffff;}
// images
K(g_conv){I __shared__ float q[18][18];int x=t%16,y=t/16,X=blockIdx.x%8*16,Y=blockIdx.x/8*16;for(int j=t;j<324;j+=256)q[j/18][j%18]=a[(Y+j/18)*256+X+j%18];__syncthreads();float v=0;F(b,3)F(c,3)v+=q[y+b][x+c]*(b*3+c);o[(Y+y)*256+X+x]=v;}
K(g_sob){I int x=i%128,y=i/128;if(x>0&&x<127&&y>0&&y<63){const float*p=a+y*128+x;float h=p[-129]+2*p[-1]+p[127]-p[-127]-2*p[1]-p[129],v=p[-129]+2*p[-128]+p[-127]-p[127]-2*p[128]-p[129];o[i]=h*h+v*v;}}
K(g_med){I float q[9];F(j,9)q[j]=a[i+j/3*128+j%3];F(j,5)for(int k=j+1;k<9;k++)if(q[k]<q[j]){float x=q[j];q[j]=q[k];q[k]=x;}o[i]=q[4];}
K(g_rgb){I const u8*p=(const u8*)a+i*3;((u8*)o)[i]=(p[0]*77+p[1]*150+p[2]*29)>>8;}
K(g_rgba){I uchar4 p=((const uchar4*)a)[i];((u8*)o)[i]=(p.x*77+p.y*150+p.z*29)>>8;}
K(g_blur){I float v=0;int x=i%128;for(int d=-s;d<=s;d++)if(x+d>=0&&x+d<128)v+=a[i+d];o[i]=v;}
K(g_bil){I float x=i%128*0.7f,y=i/128*0.7f;int u=x,w=y;const float*p=a+w*128+u;float f=x-u,g=y-w;o[i]=(p[0]*(1-f)+p[1]*f)*(1-g)+(p[128]*(1-f)+p[129]*f)*g;}
K(g_mand){I float x=0,y=0,c=i%128*0.02f-2,d=i/128*0.03f-1;int k=0;while(x*x+y*y<4&&k<50){float z=x*x-y*y+c;y=2*x*y+d;x=z;k++;}o[i]=k;}
// sorts, strings, graphs, dynamic programmes
K(q_bit){I __shared__ int q[256];q[t]=(int)a[i]*256+t;__syncthreads();for(int k=2;k<=256;k*=2)for(int j=k/2;j;j/=2){int p=t^j;if(p>t){bool up=!(t&k);int x=q[t],y=q[p];if((x>y)==up)q[t]=y,q[p]=x;}__syncthreads();}o[i]=q[t];}
K(q_rad){I __shared__ int q[16],c[256];int x=(int)a[i]&15;if(t<16)q[t]=0;c[t]=x;__syncthreads();atomicAdd(q+x,1);__syncthreads();int b=0;F(j,x)b+=q[j];for(int j=0;j<t;j++)b+=c[j]==x;o[blockIdx.x*256+b]=x;}
K(q_odd){I __shared__ int q[256];q[t]=a[i];__syncthreads();F(k,16){int p=2*t+(k&1);if(p+1<256&&q[p]>q[p+1]){int x=q[p];q[p]=q[p+1];q[p+1]=x;}__syncthreads();}o[i]=q[t];}
K(q_find){I const u8*p=(const u8*)a+i*8;int c=0;F(j,8){bool m=true;F(k,3)if(p[j+k]!=(u8)(k*16)){m=false;break;}c+=m;}o[i]=c;}
K(q_lev){I __shared__ int q[3][257];int b=blockIdx.x*64;F(d,64){int p=d%3,r=(d+2)%3,w=(d+1)%3;if(t<=d&&t<64){int v=t==0||t==d?d:min(min(q[r][t-1],q[r][t])+1,q[w][t-1]+((int)a[b+t]%4!=(int)a[b+d-t]%4));q[p][t]=v;}__syncthreads();}if(t<64)o[b+t]=q[0][t];}
K(q_bfs){I int lev=(int)a[i]%3;if(lev==1){int b=i*4,e=b+(int)a[i+1]%7;for(int j=b;j<e;j++){int k=(int)a[j]*8;if(a[k]<500)o[k]=2;}}}
K(q_hash){I u32 h=i*2654435761u;F(j,4){h^=h>>15;h*=2246822519u;h^=h>>13;}o[i]=a[h%8192]+a[(h>>8)%8192];}
K(q_knn){I __shared__ float q[256];float x=a[i],m=1e9f;int k=0;F(b,4){q[t]=a[b*256+t];__syncthreads();F(j,256){float d=(q[j]-x)*(q[j]-x);if(d<m&&d>0)m=d,k=b*256+j;}__syncthreads();}o[i]=k;}
K(q_kmn){I float x=a[i],y=a[i+8192],m=1e30f;int k=0;F(c,s){float u=x-a[c*2],v=y-a[c*2+1];if(u*u+v*v<m)m=u*u+v*v,k=c;}o[i]=k;atomicAdd(o+8192+k,1.f);}
K(q_life){I int x=i%128,y=i/128,c=0;for(int d=-1;d<2;d++)for(int e=-1;e<2;e++)if(d||e)c+=a[((y+d)&63)*128+((x+e)&127)]>500;o[i]=c==3||(c==2&&a[i]>500);}
K(q_lcg){I u32 r=i;int c=0;F(j,(int)a[i]%20+1){r=r*1664525+1013904223;float x=(r>>8)*5.96e-8f;r=r*1664525+1013904223;float y=(r>>8)*5.96e-8f;c+=x*x+y*y<1;}o[i]=c;}
// layers, physics, and types
K(n_smax){I float m=-1e9f,z=0;const float*p=a+blockIdx.x*1024;for(int j=t;j<1024;j+=256)m=fmaxf(m,p[j]);__shared__ float q[8];for(int d=16;d;d/=2)m=fmaxf(m,__shfl_xor_sync(~0u,m,d));if(t%32==0)q[t/32]=m;__syncthreads();m=q[0];F(j,8)m=fmaxf(m,q[j]);for(int j=t;j<1024;j+=256)z+=__expf(p[j]-m);__syncthreads();for(int d=16;d;d/=2)z+=__shfl_xor_sync(~0u,z,d);if(t%32==0)q[t/32]=z;__syncthreads();z=0;F(j,8)z+=q[j];for(int j=t;j<1024;j+=256)o[blockIdx.x*1024+j]=__expf(p[j]-m)/z;}
K(n_norm){I const half2*p=(const half2*)a+(i/32)*64;float v=0;F(j,2){float2 x=__half22float2(p[j*32+t%32]);v+=fminf(x.x,9.f)+fminf(x.y,9.f);}for(int d=16;d;d/=2)v+=__shfl_xor_sync(~0u,v,d);if(t%32==0)o[i/32]=v>0;}
K(n_attn){I __shared__ float q[32][33];int w=t/32,l=t%32;for(int r=w;r<32;r+=8)q[r][l]=a[(blockIdx.x*32+r)*32+l];__syncthreads();float m=0;for(int j=0;j<=l;j++)m+=q[l][j]*q[j][w];o[i]=m;}
K(n_nbody){I float x=a[i],v=0;__shared__ float q[256];F(b,2){q[t]=a[b*256+t];__syncthreads();F(j,256){float d=q[j]-x;v+=d*rsqrtf(d*d+1.f);}__syncthreads();}o[i]=v;}
K(n_bs){I float S=a[i]+1,X=a[i+8192]+1,d=(__logf(S/X)+0.06f)/0.3f,k=1/(1+0.2316419f*fabsf(d)),c=0.39894228f*__expf(-0.5f*d*d)*k*(0.31938153f+k*(-0.356563782f+k*1.781477937f));o[i]=d>0?1-c:c;}
K(n_aos){I struct P{float x,y,z,w,u,v;};P p=((const P*)a)[i];p.x+=p.u;p.y+=p.v;((P*)o)[i]=p;}
K(n_aos3){I struct P{float x,y,z;};P p=((const P*)a)[i];float r=p.x*p.x+p.y*p.y+p.z*p.z;P w={p.x*r,p.y*r,p.z*r};((P*)o)[i]=w;}
K(n_soa){I float x=a[i],y=a[i+8192],z=a[i+16384];o[i]=x+y;o[i+8192]=y+z;o[i+16384]=z+x;}
K(n_cplx){I float2 x=((const float2*)a)[i],y=((const float2*)a)[i+8192];((float2*)o)[i]=make_float2(x.x*y.x-x.y*y.y,x.x*y.y+x.y*y.x);}
K(n_fft){I __shared__ float2 q[256];q[__brev(t)>>24]=make_float2(a[i],0);__syncthreads();for(int m=2;m<=256;m*=2){int h=m/2;if(t<128){int k=t%h,j=t/h*m+k;float c=cospif(-2.f*k/m),d=sinpif(-2.f*k/m);float2 u=q[j],v=q[j+h];float2 w=make_float2(v.x*c-v.y*d,v.x*d+v.y*c);q[j]=make_float2(u.x+w.x,u.y+w.y);q[j+h]=make_float2(u.x-w.x,u.y-w.y);}__syncthreads();}o[i]=q[t].x>0;}
K(n_half){I const half2*p=(const half2*)a;((half2*)o)[i]=__hfma2(p[i],half2(2,3),half2(1,1));}
K(n_i64){I const u64*p=(const u64*)a;((u64*)o)[i]=p[i]*3+p[i^1];}
K(n_gath){I o[i]=a[((int)a[i]*37)%8192];}
K(n_scat){I o[((i*37)%8192)]=a[i];}
K(n_grid){for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n/32;i+=gridDim.x*blockDim.x)o[i]=a[i]*2+1;}
K(n_sw){I switch((int)a[i]%4){case 0:o[i]=a[i+1];break;case 1:o[i]=a[i+64]*2;break;case 2:o[i+8192]=1;break;default:o[i]=a[i*2]+a[i];}}
K(n_jac){I __shared__ float q[2][258];q[0][t+1]=a[i];if(!t)q[0][0]=0,q[0][257]=0,q[1][0]=0,q[1][257]=0;__syncthreads();F(k,6){q[1-k%2][t+1]=0.25f*q[k%2][t]+0.5f*q[k%2][t+1]+0.25f*q[k%2][t+2];__syncthreads();}o[i]=q[0][t+1];}
K(n_3d){I int x=i%32,y=i/32%16,z=i/512;float v=0;if(x>0&&x<31&&y>0&&y<15&&z>0&&z<15){const float*p=a+i;v=p[-1]+p[1]+p[-32]+p[32]+p[-512]+p[512]-6*p[0];}o[i]=v;}
K(n_async){I __shared__ float q[2][256];auto cp=[&](int b,int j){asm volatile("cp.async.ca.shared.global [%0],[%1],4;\ncp.async.commit_group;"::"r"((u32)__cvta_generic_to_shared(&q[b][t])),"l"(a+j*8192+i):"memory");};float v=0;cp(0,0);F(j,4){if(j<3){cp((j+1)&1,j+1);asm volatile("cp.async.wait_group 1;":::"memory");}else asm volatile("cp.async.wait_group 0;":::"memory");__syncthreads();v+=q[j&1][t^1];__syncthreads();}o[i]=v;}
C(n_clus,4){I __shared__ float q[256];auto c=cg::this_cluster();q[t]=a[i];c.sync();float v=0;F(j,4)v+=c.map_shared_rank(q,j)[t];c.sync();o[i]=v;}
K(n_spill){I float v[24];F(j,24)v[j]=a[i+j*32];F(j,24)v[(j*5+s)%24]+=v[j];float w=0;F(j,24)w+=v[j]*j;o[i]=w;}
#ifndef PTX
static float h[1<<22];
int main(int argc,char**argv){
 setvbuf(stdout,0,_IOLBF,0);
 float*o,*a;cudaMalloc(&o,1<<24);cudaMalloc(&a,1<<24);unsigned r=1;F(j,1<<22)r=r*1664525+1013904223,h[j]=(r>>8)%1000;cudaMemcpy(a,h,1<<24,cudaMemcpyDefault);
 int id=0;static float back[1<<20];
 auto done=[&](const char*n,int s){cudaError_t e=cudaDeviceSynchronize();cudaMemcpy(back,o,1<<22,cudaMemcpyDefault);unsigned long long x=1469598103934665603ull;F(j,1<<20){unsigned v;memcpy(&v,back+j,4);x=(x^v)*1099511628211ull;}printf("%d,%s,%d,%016llx,%s\n",id++,n,s,x,cudaGetErrorString(e));};
#define L(k,s) {cudaMemset(o,0,1<<24);k<<<32,256,1024>>>(o,a,1<<20,s);done(#k,s);}
L(v_csr,0)L(v_csru,0)L(v_csrl,0)L(v_ell,0)L(v_coo,0)L(v_warp,0)L(v_bsr,0)
L(d_tri,0)L(d_trid,0)L(d_step3,0)L(d_do,0)L(d_whl,0)L(d_uns,0)L(d_lng,0)L(d_ptr,0)L(d_ptr2,0)L(d_u1,0)L(d_u2,0)L(d_u8,0)L(d_two,0)L(d_sten,0)L(d_big,0)L(d_sin,0)L(d_div,0)L(d_dbl,0)L(d_f4,0)L(d_byt,0)L(d_shm,0)L(d_sto,0)L(d_brk,0)L(d_con,0)L(d_nst,0)L(d_cmp,0)L(d_list,0)L(d_col,0)
L(r_blk,0)L(r_int,0)L(r_shf,0)L(r_arg,0)L(r_cg,0)L(s_hil,0)L(s_ble,0)L(s_wrp,0)L(s_cmpt,0)
L(h_shr,0)L(h_wgt,0)L(h_prv,0)L(h_glb,7)L(h_glb,500)L(h_max,0)L(h_loc,0)
L(m_til,0)L(m_pad,0)L(m_reg,0)L(m_vec,0)L(m_vect,0)L(m_dbl,0)L(m_wmma,0)L(m_chol,0)L(m_floyd,0)L(m_thom,0)L(m_dp4,0)
L(g_conv,0)L(g_sob,0)L(g_med,0)L(g_rgb,0)L(g_rgba,0)L(g_blur,2)L(g_blur,5)L(g_bil,0)L(g_mand,0)
L(q_bit,0)L(q_rad,0)L(q_odd,0)L(q_find,0)L(q_lev,0)L(q_bfs,0)L(q_hash,0)L(q_knn,0)L(q_kmn,5)L(q_life,0)L(q_lcg,0)
L(n_smax,0)L(n_norm,0)L(n_attn,0)L(n_nbody,0)L(n_bs,0)L(n_aos,0)L(n_aos3,0)L(n_soa,0)L(n_cplx,0)L(n_fft,0)L(n_half,0)L(n_i64,0)L(n_gath,0)L(n_scat,0)L(n_grid,0)L(n_sw,0)L(n_jac,0)L(n_3d,0)L(n_async,0)L(n_clus,0)L(n_spill,3)
 puts(cudaGetErrorString(cudaGetLastError()));}
#endif
