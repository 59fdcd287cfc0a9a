#include <stdio.h>
#define K(x) extern "C" __global__ void x(float*o,const float*a,int n,int s)
#define I int t=threadIdx.x,i=blockIdx.x*blockDim.x+t;
#define F(j,n) for(int j=0;j<n;j++)
typedef unsigned long long u64;
#define V4(name,expr) K(name){I __shared__ float4 q[256];q[t]=make_float4(a[i],t,s,i);__syncthreads();float4 v=q[t^s];o[i]=expr;}
V4(p_x,v.x)V4(p_y,v.y)V4(p_xy,v.x+v.y)V4(p_yz,v.y*v.z)V4(p_zw,v.z-v.w)V4(p_xz,v.x*v.z)V4(p_xyz,v.x+v.y*v.z)V4(p_yzw,v.y+v.z*v.w)V4(p_xyw,v.x+v.y*v.w)V4(p_xzw,v.x+v.z*v.w)
K(p_d2x){I __shared__ double2 q[256];q[t]=make_double2(a[i],t);__syncthreads();o[i]=q[t^s].y;}
K(p_f2x){I __shared__ float2 q[256];q[t]=make_float2(a[i],t);__syncthreads();o[i]=q[t^s].x;}
#define G4(name,expr) K(name){I float4 v=((const float4*)a)[i^s];o[i]=expr;}
G4(g_x,v.x)G4(g_y,v.y)G4(g_xy,v.x+v.y)G4(g_zw,v.z-v.w)G4(g_xw,v.x+v.w)G4(g_xyz,v.x+v.y*v.z)
K(g_f2){I o[i]=((const float2*)a)[i^s].y;}
K(u_dyn){I atomicAdd((unsigned*)o+(int)a[0]+(t&s),1u);}
K(u_dynv){I atomicAdd((unsigned*)o+(t&s),(unsigned)i);}
K(u_resv){I o[64+i]=atomicAdd((unsigned*)o,(unsigned)t);}
K(u_maxr){I o[64+i]=atomicMax((int*)o,t);}
K(u_max){I atomicMax((int*)o,t);}
K(u_or){I atomicOr((unsigned*)o,1u<<(t&31));}
K(u_and){I atomicAnd((unsigned*)o+s,(unsigned)i);}
K(u_exch){I atomicExch((unsigned*)o+s,(unsigned)i);}
K(u_exchr){I o[64+i]=atomicExch((unsigned*)o+s,(unsigned)i);}
K(u_u64){I atomicAdd((u64*)o,(u64)i);}
K(u_u64c){I atomicAdd((u64*)o,3ull);}
K(u_f32){I atomicAdd(o,a[i]);}
K(u_inc){I atomicInc((unsigned*)o,100u);}
K(u_part){I if(t%3==0)atomicAdd((unsigned*)o,1u);}
K(u_partr){I if(t%3==0)o[64+i]=atomicAdd((unsigned*)o,5u);}
K(u_sub){I o[64+i]=atomicSub((unsigned*)o,(unsigned)s);}
K(u_blk){I o[64+i]=atomicAdd((unsigned*)o+blockIdx.x,1u);}
K(u_ld){I const int*b=(const int*)a;atomicAdd((unsigned*)o+(b[s]>>24),1u);}
#define SA(name,expr) K(name){I __shared__ unsigned q[64];if(t<64)q[t]=0;__syncthreads();unsigned v=0;expr;__syncthreads();if(t<64)o[blockIdx.x*64+t]=q[t];o[4096+i]=v;}
SA(h_u1,atomicAdd(q,1u))SA(h_u1r,v=atomicAdd(q,1u))SA(h_u3,atomicAdd(q,3u))SA(h_ui,atomicAdd(q+s,(unsigned)i))SA(h_uir,v=atomicAdd(q+s,(unsigned)i))SA(h_umax,atomicMax(q,(unsigned)i))
SA(h_v1,atomicAdd(q+(t&s),1u))SA(h_v1r,v=atomicAdd(q+(t&s),1u))SA(h_v2,atomicAdd(q+(t&s),2u))SA(h_vor,atomicOr(q+(t&s),(unsigned)i))SA(h_inc,atomicInc(q+(t&s),77u))SA(h_exch,atomicExch(q+(t&s),(unsigned)i))SA(h_cas,atomicCAS(q+(t&63),0u,(unsigned)i))SA(h_sub1,atomicSub(q+(t&s),1u))SA(h_u64,atomicAdd((u64*)q+(t&s),1ull))
#define SJ(name,...) K(name){I __shared__ float q[2048];F(k,8)q[t+k*256]=a[i+k*256];__syncthreads();float v=0;__VA_ARGS__;o[i]=v;}
SJ(j_8,int b=(t^s)*2;v=q[b]+q[b+1])SJ(j_3,int b=(t^s)*4;v=q[b]+q[b+1]*q[b+2])SJ(j_3b,int b=(t^s)*4;v=q[b+1]+q[b+2]*q[b+3])SJ(j_rev,int b=(t^s)*4;v=q[b+3]-q[b+2]*q[b+1]-q[b])SJ(j_str,int b=(t^s)*8;v=q[b]+q[b+2]*q[b+4]-q[b+6])
SJ(j_odd,int b=(t^s)*4+1;F(k,4)v+=q[b+k])SJ(j_6,int b=(t&127)*6;F(k,6)v+=q[b+k])SJ(j_st,int b=(t^s)*4;float x=a[i],y=a[i+7];q[b]=x;q[b+1]=y;q[b+2]=x*y;q[b+3]=x-y;__syncthreads();v=q[t])
SJ(j_st2,int b=(t^s)*2;float x=a[i];q[b]=x;q[b+1]=v;__syncthreads();v=q[t])SJ(j_mix,int b=(t^s)*2;float x=q[b];q[1024+t]=x;v=x+q[b+1])SJ(j_if,int b=(t^s)*2;v=q[b];if(v>500)v+=q[b+1])
K(j_d){I __shared__ double q[1024];F(k,4)q[t+k*256]=a[i+k*256];__syncthreads();int b=(t^s)*2;o[i]=q[b]*q[b+1];}
K(j_i){I __shared__ int q[1024];F(k,4)q[t+k*256]=i+k;__syncthreads();int b=(t^s)*4;o[i]=q[b]*q[b+1]-q[b+2]%(q[b+3]|1);}
K(j_h){I __shared__ unsigned short q[1024];F(k,4)q[t+k*256]=i+k;__syncthreads();int b=(t^s)*4;o[i]=q[b]*q[b+1]-q[b+2]%(q[b+3]|1);}
K(j_two){I __shared__ float p[512],q[512];F(k,2){p[t+k*256]=a[i+k];q[t+k*256]=a[i-k+9];}__syncthreads();int b=(t^s)*2;o[i]=p[b]*q[b]+p[b+1]*q[b+1];}
K(d_dup){I float x=a[i],y=a[i^s];__syncthreads();float z=a[i];o[i]=x*y+z;}
K(d_ro){I const float*__restrict__ b=a;float v=0;F(k,4){v+=b[i+(k&s)];o[i+8192*k]=v;}}
K(d_st){I o[i]=1;o[i]=a[i];}
K(d_lds){I __shared__ float q[256];q[t]=a[i];__syncthreads();float x=q[255-t];__syncwarp();float y=q[255-t];o[i]=x*y;}
#define L(k,s) k<<<32,256,1024>>>(o,a,1<<20,s);
float h[1<<22];
int main(){float*o,*a;cudaMalloc(&o,1<<24);cudaMalloc(&a,1<<24);cudaMemset(o,0,1<<24);unsigned r=1;F(j,1<<22)r=r*1664525+1013904223,h[j]=(r>>8)%1000;cudaMemcpy(a,h,1<<24,cudaMemcpyDefault);
L(p_x,1)L(p_y,1)L(p_xy,1)L(p_yz,1)L(p_zw,1)L(p_xz,1)L(p_xyz,1)L(p_yzw,1)L(p_xyw,1)L(p_xzw,1)L(p_d2x,1)L(p_f2x,1)
L(g_x,1)L(g_y,1)L(g_xy,1)L(g_zw,1)L(g_xw,1)L(g_xyz,1)L(g_f2,1)
L(u_dyn,0)L(u_dynv,0)L(u_dynv,1)L(u_resv,0)L(u_maxr,0)L(u_max,0)L(u_or,0)L(u_and,3)L(u_exch,3)L(u_exchr,3)L(u_u64,0)L(u_u64c,0)L(u_f32,0)L(u_inc,0)L(u_part,0)L(u_partr,0)L(u_sub,2)L(u_blk,0)L(u_ld,1)
L(h_u1,0)L(h_u1r,0)L(h_u3,0)L(h_ui,3)L(h_uir,3)L(h_umax,0)L(h_v1,0)L(h_v1,3)L(h_v1r,0)L(h_v1r,3)L(h_v2,3)L(h_vor,3)L(h_inc,3)L(h_exch,3)L(h_cas,0)L(h_sub1,3)L(h_u64,3)
L(j_8,1)L(j_3,1)L(j_3b,1)L(j_rev,1)L(j_str,1)L(j_odd,1)L(j_6,0)L(j_st,1)L(j_st2,1)L(j_mix,1)L(j_if,1)L(j_d,1)L(j_i,1)L(j_h,1)L(j_two,1)
L(d_dup,1)L(d_ro,3)L(d_st,0)L(d_lds,0)
cudaDeviceSynchronize();puts(cudaGetErrorString(cudaGetLastError()));}
