#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <mma.h>
#include <stdio.h>
#define K(x) extern "C" __global__ void x(float*o,const float*a,int n,int s)
#define X(x) extern "C" __global__ void x(float*o,cudaTextureObject_t p,cudaTextureObject_t l,cudaTextureObject_t q,cudaSurfaceObject_t u,int s)
#define I int t=threadIdx.x,i=blockIdx.x*blockDim.x+t;
#define F(j,n) for(int j=0;j<n;j++)
typedef unsigned long long u64;typedef unsigned u32;
namespace cg=cooperative_groups;using namespace nvcuda;
// masks by lane
K(m_redux){I u32 m=__match_any_sync(~0u,t%(s+1));o[i]=__reduce_add_sync(m,t);}
K(m_max){I u32 m=__match_any_sync(~0u,(int)a[i]%(s+1));o[i]=__reduce_max_sync(m,(u32)a[i]);}
K(m_vote){I u32 m=__match_any_sync(~0u,t%(s+1));o[i]=__popc(__ballot_sync(m,a[i]>500))+100*__all_sync(m,a[i]>100)+200*__any_sync(m,a[i]>900);}
K(m_match){I u32 m=__match_any_sync(~0u,t%(s+1));o[i]=(float)(__match_any_sync(m,(int)a[i]%3)&0xffffff);}
K(m_shfl){I u32 m=__match_any_sync(~0u,t%(s+1));o[i]=__shfl_sync(m,a[i],__ffs(m)-1);}
K(m_label){I auto w=cg::tiled_partition<32>(cg::this_thread_block());auto g=cg::labeled_partition(w,t%(s+1));o[i]=cg::reduce(g,(int)a[i],cg::plus<int>())+g.size()*1000;}
K(m_coal){I if(a[i]>300){auto g=cg::coalesced_threads();int r=0;if(g.thread_rank()==0)r=atomicAdd((int*)o+4096,(int)g.size());o[i]=g.shfl(r,0)>=0?g.thread_rank():-1;}}
K(m_part){I if(t%3!=s)o[i]=__reduce_add_sync(__activemask(),t);else o[i]=-1;}
K(m_late){I int v=t;u32 m=t&1?0xaaaaaaaau:0x55555555u;if(t&2)v+=a[i]>500?100:200;o[i]=__reduce_min_sync(m,v);}
// shuffles from lanes that are not there
K(z_down){I o[i]=-1;if((t&31)<16+s){int v=t+1000;v=__shfl_down_sync(__activemask(),v,8);o[i]=v;}}
K(z_idx){I o[i]=-1;int v=t*3+7;if((t&3)!=1){v=__shfl_sync(__activemask(),v,(t&~3)+1);o[i]=v;}}
K(z_bfly){I o[i]=-1;int v=i*5;if(t&1){v=__shfl_xor_sync(0xaaaaaaaau,v,1);o[i]=v;}}
K(z_var){I int v=i+5;if(a[i]>500){v=v*3;v=__shfl_sync(__activemask(),v,s);}o[i]=v;}
K(z_exit){I if((t&31)>=20)return;int v=t+50;o[i]=__shfl_down_sync(0xfffff,v,4);}
// shared atomics that loop; one warp alone, and more
#define SAT(name,T,op) K(name){I __shared__ T q[64];if(t<64)q[t]=T(0);__syncthreads();op;__syncthreads();if(t<64)o[blockIdx.x*64+t]=(float)q[t];}
SAT(h_f32,float,atomicAdd(q+t%(s+1),1.f))SAT(h_f64,double,atomicAdd(q+t%(s+1),1.0))SAT(h_u64,u64,atomicAdd(q+t%(s+1),(u64)t))SAT(h_max64,u64,atomicMax(q+t%(s+1),(u64)t))
SAT(h_x64,u64,atomicExch(q+t%(s+1),(u64)t))SAT(h_c64,u64,atomicCAS(q+t%(s+1),(u64)0,(u64)t))SAT(h_or64,u64,atomicOr(q+t%(s+1),(u64)t))
K(h_h2){I __shared__ half2 q[64];if(t<64)q[t]=half2(0,0);__syncthreads();atomicAdd(q+t%(s+1),half2(1,1));__syncthreads();if(t<64)o[blockIdx.x*64+t]=(float)q[t].x;}
K(h_h1){I __shared__ half q[64];if(t<64)q[t]=half(0);__syncthreads();atomicAdd(q+t%(s+1),half(1));__syncthreads();if(t<64)o[blockIdx.x*64+t]=(float)q[t];}
// 16-bit atomics on global memory
K(b_bf2){I atomicAdd((__nv_bfloat162*)o+t%(s+1),__nv_bfloat162(1,1));}
K(b_h2){I atomicAdd((half2*)o+t%(s+1),half2(1,1));}
K(b_bf2r){I __nv_bfloat162 v=atomicAdd((__nv_bfloat162*)o+t%(s+1),__nv_bfloat162(1,1));o[4096+i]=(float)v.x>=0;}
K(b_h1){I atomicAdd((half*)o+t%(s+1),half(1));}
K(b_bf1){I atomicAdd((__nv_bfloat16*)o+t%(s+1),__nv_bfloat16(1));}
// the same address again
K(r_vote){I float v=a[i];u32 b=__ballot_sync(~0u,v>500);o[i]=a[i]+__popc(b);}
K(r_shfl){I float v=a[i];v+=__shfl_xor_sync(~0u,v,1);o[i]=a[i]+v;}
K(r_warp){I float v=a[i];__syncwarp();o[i]=a[i]+v;}
K(r_bar){I float v=a[i];__syncthreads();o[i]=a[i]+v;}
K(r_store){I float v=a[i];o[i]=v;o[i+8192]=a[i];}
K(r_rstore){I const float*__restrict__ b=a;float*__restrict__ c=o;float v=b[i];c[i]=v;c[i+8192]=b[i]+1;}
K(r_if){I float v=a[i];if(v>500)v+=a[i]+a[i+1];o[i]=v;}
K(r_loop){I float v=0;F(j,s)v+=a[i]*a[j];o[i]=v;}
K(r_sten){I float l=a[i],m=a[i+1],r=a[i+2];float v=l+m+r;if(t>s)v+=a[i+1]*2;o[i]=v;}
K(r_sh){I __shared__ float q[288];q[t]=a[i];if(t<32)q[256+t]=a[i+256];__syncthreads();float v=q[t]+q[t+1];u32 b=__ballot_sync(~0u,v>900);v+=q[t+1]*q[t+2];o[i]=v+__popc(b);}
K(r_shs){I __shared__ float q[288];q[t]=a[i];__syncthreads();float v=q[t^1];q[t+16]=v;o[i]=q[t^1]+v;}
K(r_shw){I __shared__ float q[288];q[t]=a[i];__syncwarp();float v=q[t^1];__syncwarp();o[i]=q[t^1]+v;}
K(r_scan){I __shared__ int q[256];q[t]=(int)a[i];__syncthreads();for(int d=1;d<256;d*=2){int v=t>=d?q[t-d]:0;__syncthreads();q[t]+=v;__syncthreads();}o[i]=q[t];}
K(r_scan2){I __shared__ int q[256];q[t]=(int)a[i];__syncthreads();for(int d=1;d<256;d*=2){int v=0;if(t>=d)v=q[t]+q[t-d];__syncthreads();if(t>=d)q[t]=v;__syncthreads();}o[i]=q[t];}
K(r_blel){I __shared__ int q[512];q[t]=(int)a[i];q[t+256]=(int)a[i+256];int off=1;for(int d=256;d>0;d/=2){__syncthreads();if(t<d){int x=off*(2*t+1)-1,y=off*(2*t+2)-1;q[y]+=q[x];}off*=2;}if(t==0)q[511]=0;for(int d=1;d<512;d*=2){off/=2;__syncthreads();if(t<d){int x=off*(2*t+1)-1,y=off*(2*t+2)-1;int v=q[x];q[x]=q[y];q[y]+=v;}}__syncthreads();o[i]=q[t];o[i+8192]=q[t+256];}
K(r_red){I __shared__ float q[256];q[t]=a[i];__syncthreads();for(int d=128;d>0;d/=2){if(t<d)q[t]+=q[t+d];__syncthreads();}if(t==0)o[blockIdx.x]=q[0];}
K(r_redv){I __shared__ volatile float q[256];q[t]=a[i];__syncthreads();if(t<128)q[t]+=q[t+128];__syncthreads();if(t<64)q[t]+=q[t+64];__syncthreads();if(t<32){q[t]+=q[t+32];__syncwarp();q[t]+=q[t+16];__syncwarp();q[t]+=q[t+8];}if(t==0)o[blockIdx.x]=q[0];}
// joins
K(w_loop){I __shared__ float q[1024];F(j,4)q[t*4+j]=a[i+j];__syncthreads();float v=0;for(int j=0;j<64;j+=4)v+=q[j]+q[j+1]*q[j+2]-q[j+3];o[i]=v;}
K(w_loopv){I __shared__ float q[1024];F(j,4)q[t*4+j]=a[i+j];__syncthreads();float v=0;for(int j=s*4;j<256;j+=4)v+=q[j]+q[j+1]*q[j+2]-q[j+3];o[i]=v;}
K(w_loop2){I __shared__ float q[1024];F(j,4)q[t*4+j]=a[i+j];__syncthreads();float v=0;for(int j=s*2;j<256;j+=2)v+=q[j]-q[j+1];o[i]=v;}
K(w_scal){I __shared__ float x,y,z,w;if(t==s){x=a[i];y=a[i+1];z=a[i+2];w=a[i+3];}__syncthreads();o[i]=x+y*z-w;}
K(w_scal2){I __shared__ int x,y;if(t==0){x=(int)a[i];y=s;}__syncthreads();o[i]=x*y;}
K(w_row){I __shared__ float q[32][32];F(j,4)q[t/32+8*j][t%32]=a[i+j*256];__syncthreads();float v=0;F(k,32)v+=q[t/8][k]*q[k][t%8];o[i]=v;}
K(w_rowp){I __shared__ float q[32][33];F(j,4)q[t/32+8*j][t%32]=a[i+j*256];__syncthreads();float v=0;F(k,32)v+=q[t/8][k]*q[k][t%8];o[i]=v;}
K(w_row36){I __shared__ float q[32][36];F(j,4)q[t/32+8*j][t%32]=a[i+j*256];__syncthreads();float v=0;F(k,32)v+=q[t/8][k]*q[k][t%8];o[i]=v;}
K(w_reg){I __shared__ float x[16][64],y[16][64];F(j,4)x[t/16][t%16*4+j]=a[i+j],y[t/16][t%16*4+j]=a[i+j+64];__syncthreads();float c[4][4]={};F(k,16)F(p,4)F(q,4)c[p][q]+=x[k][t/16*4+p]*y[k][t%16*4+q];float v=0;F(p,4)F(q,4)v+=c[p][q]*(p+q);o[i]=v;}
K(w_ptr){I __shared__ float q[1024];F(j,4)q[t*4+j]=a[i+j];__syncthreads();const float*e=q+t%16*4;float v=0;F(k,8){v+=e[0]+e[1]*e[2]-e[3];e+=64;}o[i]=v;}
K(w_int){I __shared__ int q[512];q[t]=(int)a[i];q[t+256]=t;__syncthreads();int2 v=*(int2*)&q[(t*2+s*2)&511];o[i]=v.x+v.y;}
K(w_half){I __shared__ half q[1024];F(j,4)q[t*4+j]=half(a[i+j]);__syncthreads();half v=0;F(j,8)v+=q[(t*8+j)&1023];o[i]=(float)v;}
// stores
K(c_cond){I o[i]=0;if(a[i]>500)o[i]=1;}
K(c_else){I if(a[i]>500)o[i]=1;else o[i]=a[i]*s;}
K(c_two){I float v=a[i];o[i]=v;if(v>500)o[i]=v*2;if(v<100)o[i]=s;}
K(c_ld){I o[i]=s;float v=a[i];if(v>500)o[i]=v;}
K(c_sh){I __shared__ float q[256];q[t]=0;if(a[i]>500)q[t]=a[i];__syncthreads();o[i]=q[t^s];}
K(c_loop){I F(j,s){o[i]=a[i+j];}}
K(c_acc){I F(j,8){o[i]+=a[i+j*32];}}
K(c_dead){I o[i]=a[i];o[i]=a[i+1];}
K(c_ret){I o[i]=1;if(a[i]<300)return;o[i]=2;}
// loops whose trips differ
K(d_mod){I float v=0;for(int j=0;j<t%32;j++)v+=a[i+j*32];o[i]=v;}
K(d_le){I float v=0;for(int j=0;j<=t%(s+1);j++)v+=a[i*2+j];o[i]=v;}
K(d_csr){I int b=(int)a[i]%16,e=b+(int)a[i+1]%24;float v=0;for(int j=b;j<e;j++)v+=a[i*8+j];o[i]=v;}
K(d_csr2){I int b=(int)a[i]%16,e=b+(int)a[i+1]%24;float v=0;for(int j=b;j<e;j++)v+=a[i*8+j]*a[(int)a[i*8+j]];o[i]=v;}
K(d_warp){I int b=(int)a[i/32]%64,e=b+(int)a[i/32+1]%200;float v=0;for(int j=b+t%32;j<e;j+=32)v+=a[j*4];o[i]=v;}
K(d_while){I int j=(int)a[i];float v=0;while(j>10){v+=a[j];j=j/2;}o[i]=v;}
K(d_brk){I float v=0;F(j,32){float x=a[i+j*64];if(x>900)break;v+=x;}o[i]=v;}
K(d_cont){I float v=0;F(j,t%20){if((t+j)%3==0)continue;v+=a[i+j*32];}o[i]=v;}
K(d_nest){I float v=0;F(j,t%6)F(k,j+1)v+=a[i+j*32+k];o[i]=v;}
K(d_st){I F(j,t%13)o[i+j*8192]=a[i];}
K(d_coll){I int n_=(int)a[i]+1,c=0;while(n_!=1&&c<40){n_=n_&1?3*n_+1:n_/2;c++;}o[i]=c+a[c];}
K(d_no){I float v=0;
#pragma unroll 1
for(int j=0;j<t%32;j++)v+=a[i+j*32];o[i]=v;}
K(d_caus){I float v=0;for(int j=0;j<=i%64;j++){float x=0;F(k,4)x+=a[i%64*4+k]*a[j*4+k];v+=x;}o[i]=v;}
K(d_sh){I __shared__ float q[256];q[t]=a[i];__syncthreads();float v=0;for(int j=0;j<t%17;j++)v+=q[j*3&255];o[i]=v;}
K(d_bin){I int lo=0,hi=1024;float x=a[i]*8;while(lo<hi){int m=(lo+hi)/2;if(a[m]+m*8<x)lo=m+1;else hi=m;}o[i]=lo;}
K(d_step){I float v=0;for(int j=t%8;j<n/4096;j+=s+1)v+=a[i+j];o[i]=v;}
// local memory
K(l_dyn){I float v[16];F(j,16)v[j]=a[i+j*256];float x=0;F(j,8)x+=v[(j*s+t)&15];o[i]=x;}
K(l_uni){I float v[16];F(j,16)v[j]=a[i+j*256];float x=0;F(j,8)x+=v[(j*s)&15];o[i]=x;}
K(l_f2){I float2 v[8];F(j,8)v[j]=make_float2(a[i+j],a[i-j+64]);float x=0;F(j,8){float2 y=v[(j+t)&7];x+=y.x*y.y;}o[i]=x;}
K(l_f4){I float4 v[4];F(j,4)v[j]=make_float4(a[i+j],j,s,t);float x=0;F(j,4){float4 y=v[(j+t)&3];x+=y.x*y.y+y.w;}o[i]=x;}
K(l_c){I char v[32];F(j,32)v[j]=(char)a[i+j];int x=0;F(j,16)x+=v[(j*3+t*s)&31];o[i]=x;}
K(l_d){I double v[8];F(j,8)v[j]=a[i+j];double x=0;F(j,8)x+=v[(j+t)&7];o[i]=(float)x;}
K(l_s){I short v[16];F(j,16)v[j]=(short)a[i+j];int x=0;F(j,8)x+=v[(j+(int)a[i+j])&15];o[i]=x;}
K(l_w){I int v[16];F(j,16)v[j]=0;F(j,16)v[(int)a[i+j]&15]+=j;int x=0;F(j,16)x=x*3+v[j];o[i]=x&0xffff;}
K(l_st){I int st[24],top=0,x=0;st[top++]=(int)a[i]&255;while(top>0&&x<60){int v=st[--top];x++;if(v>8&&top<22){st[top++]=v/2;st[top++]=v/3;}}o[i]=x;}
// matrices
template<class T,int M,int N,int Q,class A,class LA,class LB>__device__ void tile(const T*p,const T*q,A*c,int la,int lb,int lc,wmma::layout_t m){wmma::fragment<wmma::matrix_a,M,N,Q,T,LA>x;wmma::fragment<wmma::matrix_b,M,N,Q,T,LB>y;wmma::fragment<wmma::accumulator,M,N,Q,A>z;wmma::load_matrix_sync(z,c,lc,m);wmma::load_matrix_sync(x,p,la);wmma::load_matrix_sync(y,q,lb);wmma::mma_sync(z,x,y,z);wmma::store_matrix_sync(c,z,lc,m);}
typedef signed char ch;typedef wmma::row_major R;typedef wmma::col_major C;
template<class T>__device__ void fillq(T*q,const float*a,int m){F(j,m/256)q[threadIdx.x+j*256]=T((float)((int)a[threadIdx.x+j*256]%8));}
#define WM(name,T,A,M,N,Q,LA,LB,la,lb,lc,lay) K(g_##name){I T*b=(T*)(o+65536);F(j,2)b[i+j*8192]=T((float)((int)a[i+j*8192]%8));__threadfence();__syncthreads();if(t<32)tile<T,M,N,Q,A,LA,LB>(b+blockIdx.x*256,b+blockIdx.x*256+4096,(A*)o+blockIdx.x*1024,la,lb,lc,lay);}\
K(s_##name){I __shared__ __align__(32) T b[2048];__shared__ __align__(32) A c[1024];fillq(b,a,2048);F(j,4)c[t+j*256]=A(0);__syncthreads();if(t<32)tile<T,M,N,Q,A,LA,LB>(b,b+1024,c,la,lb,lc,lay);__syncthreads();F(j,4)o[i*4+j]=(float)c[t*4+j];}
WM(hrc,half,float,16,16,16,R,C,16,16,16,wmma::mem_row_major)WM(hcr,half,float,16,16,16,C,R,16,16,16,wmma::mem_col_major)WM(hh,half,half,16,16,16,R,R,24,24,16,wmma::mem_row_major)
WM(h32,half,float,32,8,16,R,C,16,16,8,wmma::mem_row_major)WM(h8,half,float,8,32,16,R,C,16,16,32,wmma::mem_row_major)WM(bf,__nv_bfloat16,float,16,16,16,R,C,16,16,16,wmma::mem_row_major)
WM(i8,ch,int,16,16,16,R,C,16,16,16,wmma::mem_row_major)WM(i8c,ch,int,16,16,16,C,R,16,16,16,wmma::mem_col_major)WM(f64,double,double,8,8,4,R,C,4,4,8,wmma::mem_row_major)
K(g_tf){I if(t<32){wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,R>x;wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,C>y;wmma::fragment<wmma::accumulator,16,16,8,float>z;wmma::fill_fragment(z,0.f);wmma::load_matrix_sync(x,a,8);wmma::load_matrix_sync(y,a+256,8);wmma::mma_sync(z,x,y,z);wmma::store_matrix_sync(o+blockIdx.x*256,z,16,wmma::mem_row_major);}}
__device__ u32 sp(const void*p){return(u32)__cvta_generic_to_shared(p);}
#define LDM(name,ld,kind,regs,list,...) K(name){I __shared__ __align__(16) half q[32*ld];for(int j=t;j<32*ld;j+=256)q[j]=half((float)((int)a[j]%16));__syncthreads();u32 r[4]={};asm volatile("ldmatrix.sync.aligned.m8n8." kind ".shared.b16 {" list "},[%" regs "];":__VA_ARGS__:"r"(sp(q+(t%32)*ld+t/32%2*8)):"memory");o[i]=(float)(r[0]%4096)+(float)(r[1]%4096)*2+(float)(r[2]%512)*3+(float)(r[3]%512);}
LDM(x_1,8,"x1","1","%0","=r"(r[0]))LDM(x_2,8,"x2","2","%0,%1","=r"(r[0]),"=r"(r[1]))LDM(x_4,8,"x4","4","%0,%1,%2,%3","=r"(r[0]),"=r"(r[1]),"=r"(r[2]),"=r"(r[3]))LDM(x_4t,16,"x4.trans","4","%0,%1,%2,%3","=r"(r[0]),"=r"(r[1]),"=r"(r[2]),"=r"(r[3]))LDM(x_4c,64,"x4","4","%0,%1,%2,%3","=r"(r[0]),"=r"(r[1]),"=r"(r[2]),"=r"(r[3]))LDM(x_4p,72,"x4","4","%0,%1,%2,%3","=r"(r[0]),"=r"(r[1]),"=r"(r[2]),"=r"(r[3]))LDM(x_2c,32,"x2","2","%0,%1","=r"(r[0]),"=r"(r[1]))LDM(x_1c,64,"x1.trans","1","%0","=r"(r[0]))
K(x_st){I __shared__ __align__(16) half q[32*40];u32 r[4];F(j,4)r[j]=t*4+j;asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],{%1,%2,%3,%4};"::"r"(sp(q+(t%32)*40)),"r"(r[0]),"r"(r[1]),"r"(r[2]),"r"(r[3]):"memory");__syncthreads();o[i]=((u32*)q)[t]%65536;}
K(x_mov){I u32 r=t*77+(t<<16),d;asm("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;":"=r"(d):"r"(r));o[i]=(float)(d%65536);}
#define HW(j) ((((u32)a[i+j*256]%8)*0x0001u)|(((u32)a[i+j*256]/8%8)<<16))
__device__ u32 h2(float x,float y){half2 v=half2(x,y);return*(u32*)&v;}
__device__ u32 b2(float x,float y){__nv_bfloat162 v=__nv_bfloat162(x,y);return*(u32*)&v;}
#define FR(j) (float)((int)a[i+j*32]%8)
K(p_h16){I float d[4];asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%10,%10,%10};":"=f"(d[0]),"=f"(d[1]),"=f"(d[2]),"=f"(d[3]):"r"(h2(FR(0),FR(1))),"r"(h2(FR(2),FR(3))),"r"(h2(FR(4),FR(5))),"r"(h2(FR(6),FR(7))),"r"(h2(FR(8),FR(9))),"r"(h2(FR(10),FR(11))),"f"(1.f));o[i]=d[0]+d[1]*2+d[2]*3+d[3]*4;}
K(p_h8){I float d[4];asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%7,%7,%7,%7};":"=f"(d[0]),"=f"(d[1]),"=f"(d[2]),"=f"(d[3]):"r"(h2(FR(0),FR(1))),"r"(h2(FR(2),FR(3))),"r"(h2(FR(8),FR(9))),"f"(1.f));o[i]=d[0]+d[1]*2+d[2]*3+d[3]*4;}
K(p_bf){I float d[4];asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%10,%10,%10};":"=f"(d[0]),"=f"(d[1]),"=f"(d[2]),"=f"(d[3]):"r"(b2(FR(0),FR(1))),"r"(b2(FR(2),FR(3))),"r"(b2(FR(4),FR(5))),"r"(b2(FR(6),FR(7))),"r"(b2(FR(8),FR(9))),"r"(b2(FR(10),FR(11))),"f"(1.f));o[i]=d[0]+d[1]*2+d[2]*3+d[3]*4;}
K(p_tf){I float d[4];asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%10,%10,%10};":"=f"(d[0]),"=f"(d[1]),"=f"(d[2]),"=f"(d[3]):"r"(__float_as_uint(FR(0))),"r"(__float_as_uint(FR(1))),"r"(__float_as_uint(FR(2))),"r"(__float_as_uint(FR(3))),"r"(__float_as_uint(FR(4))),"r"(__float_as_uint(FR(5))),"f"(1.f));o[i]=d[0]+d[1]*2+d[2]*3+d[3]*4;}
#define IM(name,shape,types,na,...) K(name){I int d[4];u32 r[6];F(j,6)r[j]=(u32)a[i+j*256]*2654435761u;asm("mma.sync.aligned." shape ".row.col." types " {%0,%1,%2,%3}," na ",{%10,%10,%10,%10};":"=r"(d[0]),"=r"(d[1]),"=r"(d[2]),"=r"(d[3]):"r"(r[0]),"r"(r[1]),"r"(r[2]),"r"(r[3]),"r"(r[4]),"r"(r[5]),"r"(s));o[i]=(float)((d[0]+d[1]*2+d[2]*3+d[3]*5)&0xfffff);}
IM(p_i32,"m16n8k32","s32.s8.s8.s32","{%4,%5,%6,%7},{%8,%9}")IM(p_iu,"m16n8k32","s32.u8.s8.s32","{%4,%5,%6,%7},{%8,%9}")IM(p_i16,"m16n8k16","s32.s8.u8.s32","{%4,%5},{%8}")IM(p_i4,"m16n8k64","s32.s4.u4.s32","{%4,%5,%6,%7},{%8,%9}")IM(p_b1,"m16n8k256","s32.b1.b1.s32.and.popc","{%4,%5,%6,%7},{%8,%9}")
K(p_f64){I double d[2];asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%4,%4};":"=d"(d[0]),"=d"(d[1]):"d"((double)FR(0)),"d"((double)FR(1)),"d"(1.0));o[i]=(float)(d[0]+2*d[1]);}
K(p_f64b){I double d[4];asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%10,%10,%10};":"=d"(d[0]),"=d"(d[1]),"=d"(d[2]),"=d"(d[3]):"d"((double)FR(0)),"d"((double)FR(1)),"d"((double)FR(2)),"d"((double)FR(3)),"d"((double)FR(4)),"d"((double)FR(5)),"d"(1.0));o[i]=(float)(d[0]+2*d[1]+3*d[2]+5*d[3]);}
K(p_hh){I u32 d[2];asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%8,%8};":"=r"(d[0]),"=r"(d[1]):"r"(h2(FR(0),FR(1))),"r"(h2(FR(2),FR(3))),"r"(h2(FR(4),FR(5))),"r"(h2(FR(6),FR(7))),"r"(h2(FR(8),FR(9))),"r"(h2(FR(10),FR(11))),"r"(h2(1,2)));o[i]=(float)(d[0]%65536)+(float)(d[1]>>16);}
// cooperative groups of several warps, asynchronous copies
K(q_tile){I __shared__ cg::block_tile_memory<1024> mem;auto b=cg::this_thread_block(mem);auto g=cg::tiled_partition<64>(b);o[i]=cg::reduce(g,(int)a[i],cg::plus<int>());}
K(q_sync){I __shared__ float q[256];q[t]=a[i];auto g=cg::tiled_partition<128>(cg::this_thread_block());g.sync();float v=q[t^64];g.sync();q[t]=v*2;g.sync();o[i]=q[t^3];}
K(q_async){I extern __shared__ float q[];asm volatile("cp.async.ca.shared.global [%0],[%1],4;\ncp.async.commit_group;\ncp.async.wait_group 0;"::"r"(sp(q+t)),"l"(a+i*(s+1)):"memory");__syncthreads();o[i]=q[t^1];}
// textures: p linear floats with clamp, l the same normalised and wrapped, q bytes by four; 64 x 48 texels
X(t_pt){I o[i]=tex2D<float>(p,(i%97)*0.7f-3,(i/97%61)*0.9f-3);}
X(t_wrap){I o[i]=tex2D<float>(l,(i%97)*0.03125f-1.25f,(i/97%61)*0.0625f-1.5f);}
X(t_b4){I uchar4 v=tex2D<uchar4>(q,i%64,i/64%48);o[i]=v.x+v.y*2+v.z*3+v.w*4;}
X(t_gat){I float4 v=tex2Dgather<float4>(p,i%64,i/64%48,0);o[i]=v.x+2*v.y+3*v.z+5*v.w;}
X(t_lod){I o[i]=tex2DLod<float>(p,i%64+0.25f,i/64%48+0.75f,0.f);}
X(t_surf){I float v=surf2Dread<float>(u,(i%64)*4,i/64%48);o[i]=v*2+surf2Dread<float>(u,(i%80)*4,s,cudaBoundaryModeZero);}
#ifndef PTX
#include <vector>
#include <stdlib.h>
static float h[1<<22];
int main(int argc,char**argv){
 float*o,*a;cudaMalloc(&o,1<<24);cudaMalloc(&a,1<<24);unsigned r=1;F(j,1<<22)r=r*1664525+1013904223,h[j]=(r>>8)%1000;cudaMemcpy(a,h,1<<24,cudaMemcpyDefault);
 cudaArray_t ar,ab;cudaChannelFormatDesc cf=cudaCreateChannelDesc<float>(),cb=cudaCreateChannelDesc<uchar4>();cudaMallocArray(&ar,&cf,64,48,cudaArraySurfaceLoadStore|cudaArrayTextureGather);cudaMallocArray(&ab,&cb,64,48);
 cudaMemcpy2DToArray(ar,0,0,a,256,256,48,cudaMemcpyDeviceToDevice);cudaMemcpy2DToArray(ab,0,0,a,256,256,48,cudaMemcpyDeviceToDevice);
 cudaTextureObject_t tp,tl,tq;cudaSurfaceObject_t su;cudaResourceDesc rd={};rd.resType=cudaResourceTypeArray;rd.res.array.array=ar;cudaTextureDesc td={};
 td.addressMode[0]=td.addressMode[1]=cudaAddressModeClamp;td.filterMode=cudaFilterModeLinear;cudaCreateTextureObject(&tp,&rd,&td,0);td.addressMode[0]=td.addressMode[1]=cudaAddressModeWrap;td.normalizedCoords=1;cudaCreateTextureObject(&tl,&rd,&td,0);
 cudaCreateSurfaceObject(&su,&rd);cudaTextureDesc te={};rd.res.array.array=ab;cudaCreateTextureObject(&tq,&rd,&te,0);
 int id=0;static float back[1<<20];
 auto done=[&](const char*n,int s){cudaError_t e=cudaDeviceSynchronize();cudaMemcpy(back,o,1<<22,cudaMemcpyDefault);unsigned long long x=1469598103934665603ull;F(j,1<<20){unsigned v;memcpy(&v,back+j,4);x=(x^v)*1099511628211ull;}printf("%d,%s,%d,%016llx,%s\n",id++,n,s,x,cudaGetErrorString(e));
  if(argc>1&&(n[0]=='z'||n[0]=='t')){char f[200];sprintf(f,"%s/%s_%d.bin",argv[1],n,s);FILE*g=fopen(f,"wb");fwrite(back,4,512,g);fclose(g);}};
#define L(k,s) {cudaMemset(o,0,1<<24);k<<<32,256,1024>>>(o,a,1<<20,s);done(#k,s);}
#define W(k,s) {cudaMemset(o,0,1<<24);k<<<32,32,1024>>>(o,a,1<<20,s);done(#k"@32",s);}
#define T(k,s) {cudaMemset(o,0,1<<24);k<<<32,256>>>(o,tp,tl,tq,su,s);done(#k,s);}
L(m_redux,2)L(m_redux,5)L(m_max,3)L(m_vote,2)L(m_vote,7)L(m_match,2)L(m_shfl,3)L(m_label,2)L(m_label,4)L(m_coal,0)L(m_part,1)L(m_late,0)
L(z_down,0)L(z_down,4)L(z_idx,0)L(z_bfly,0)L(z_var,3)L(z_exit,0)
W(h_f32,0)W(h_f32,3)W(h_f32,31)L(h_f32,0)L(h_f32,7)W(h_f64,0)W(h_f64,7)W(h_f64,31)W(h_u64,0)W(h_u64,7)W(h_u64,31)L(h_u64,15)W(h_max64,3)W(h_x64,3)W(h_x64,31)W(h_c64,3)W(h_or64,3)W(h_h2,3)W(h_h2,31)W(h_h1,3)W(h_h1,31)
L(b_bf2,3)L(b_bf2,63)L(b_h2,3)L(b_h2,63)L(b_bf2r,7)W(b_h1,3)W(b_h1,31)W(b_bf1,3)
L(r_vote,0)L(r_shfl,0)L(r_warp,0)L(r_bar,0)L(r_store,0)L(r_rstore,0)L(r_if,0)L(r_loop,5)L(r_sten,9)L(r_sh,0)L(r_shs,0)L(r_shw,0)L(r_scan,0)L(r_scan2,0)L(r_blel,0)L(r_red,0)L(r_redv,0)
L(w_loop,0)L(w_loopv,1)L(w_loop2,1)L(w_scal,3)L(w_scal2,3)L(w_row,0)L(w_rowp,0)L(w_row36,0)L(w_reg,0)L(w_ptr,0)L(w_int,1)L(w_half,0)
L(c_cond,0)L(c_else,2)L(c_two,3)L(c_ld,3)L(c_sh,1)L(c_loop,5)L(c_acc,0)L(c_dead,0)L(c_ret,0)
L(d_mod,0)L(d_le,7)L(d_le,30)L(d_csr,0)L(d_csr2,0)L(d_warp,0)L(d_while,0)L(d_brk,0)L(d_cont,0)L(d_nest,0)L(d_st,0)L(d_coll,0)L(d_no,0)L(d_caus,0)L(d_sh,0)L(d_bin,0)L(d_step,3)L(d_step,0)
L(l_dyn,1)L(l_dyn,3)L(l_uni,3)L(l_f2,0)L(l_f4,1)L(l_c,1)L(l_d,0)L(l_s,0)L(l_w,0)L(l_st,0)
L(g_hrc,0)L(s_hrc,0)L(g_hcr,0)L(s_hcr,0)L(g_hh,0)L(s_hh,0)L(g_h32,0)L(s_h32,0)L(g_h8,0)L(s_h8,0)L(g_bf,0)L(s_bf,0)L(g_i8,0)L(s_i8,0)L(g_i8c,0)L(s_i8c,0)L(g_f64,0)L(s_f64,0)L(g_tf,0)
L(x_1,0)L(x_2,0)L(x_4,0)L(x_4t,0)L(x_4c,0)L(x_4p,0)L(x_2c,0)L(x_1c,0)L(x_st,0)L(x_mov,0)
L(p_h16,0)L(p_h8,0)L(p_bf,0)L(p_tf,0)L(p_i32,1)L(p_iu,2)L(p_i16,3)L(p_i4,4)L(p_b1,5)L(p_f64,0)L(p_f64b,0)L(p_hh,0)
L(q_tile,0)L(q_sync,0)L(q_async,0)L(q_async,3)
T(t_pt,0)T(t_wrap,0)T(t_b4,0)T(t_gat,0)T(t_lod,0)T(t_surf,5)
 puts(cudaGetErrorString(cudaGetLastError()));}
#endif
