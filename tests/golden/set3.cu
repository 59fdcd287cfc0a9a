#include <stdio.h>
#define K(x) extern "C" __global__ void x(float*o,const float*a,int n,int s)
#define I int t=threadIdx.x,i=blockIdx.x*blockDim.x+t;
#define F(j,n) for(int j=0;j<n;j++)
typedef unsigned long long u64;
// atomics
K(a_hist){I atomicAdd((unsigned*)o+(((unsigned*)a)[i]>>18)%(s+1),1u);}
K(a_ret){I unsigned v=atomicAdd((unsigned*)o+(i*7)%64,3u);o[1024+i]=v;}
K(a_uni){I atomicAdd((unsigned*)o,(unsigned)i);}
K(a_unir){I o[64+i]=atomicAdd((unsigned*)o,1u);}
K(a_blk){I atomicMax((unsigned*)o+blockIdx.x,(unsigned)a[i]);}
K(a_cas){I if(t%8==0)atomicCAS((unsigned*)o+t,(unsigned)s,1u);}
K(a_u64){I atomicAdd((u64*)o+t%(s+1),(u64)i);}
K(a_f64){I atomicAdd((double*)o+(t/4),1.0);}
K(a_sres){I __shared__ unsigned q[64];if(t<64)q[t]=0;__syncthreads();unsigned v=atomicAdd(q+t%(s+1),2u);o[i]=v;}
K(a_smax){I __shared__ int q[64];if(t<64)q[t]=0;__syncthreads();atomicMax(q+t%(s+1),(int)a[i]);__syncthreads();if(t<64)o[blockIdx.x*64+t]=q[t];}
K(a_sf){I __shared__ float q[64];if(t<64)q[t]=0;__syncthreads();atomicAdd(q+t%(s+1),a[i]);__syncthreads();if(t<64)o[blockIdx.x*64+t]=q[t];}
// widths
K(w_b2){I ((short*)o)[i]=((const short*)a)[i*s];}
K(w_d){I ((double*)o)[i]=((const double*)a)[i*s]*2;}
K(w_s12){I struct V{float x,y,z;};V v=((const V*)a)[i];((V*)o)[i]=v;}
K(w_s24){I struct V{double x,y,z;};V v=((const V*)a)[i%1000];((V*)o)[i]=v;}
K(w_ldg){I o[i]=__ldg(a+(i^s));}
K(w_rev){I o[n-1-i]=a[(i*s)&(n-1)];}
// shared
K(s_d2){I __shared__ double2 q[512];q[t]=make_double2(t,t+1);__syncthreads();double2 v=q[(t*s)&511];o[i]=v.x+v.y;}
K(s_f2){I __shared__ float2 q[512];q[t]=make_float2(t,t+1);__syncthreads();float2 v=q[(t/s)&511];o[i]=v.x+v.y;}
K(s_row){I __shared__ float q[256*4];F(k,4)q[t*4+k]=a[i+k*256];__syncthreads();float v=0;F(k,4)v+=q[((t*s)&255)*4+k];o[i]=v;}
K(s_row8){I __shared__ float q[32*12];if(t<192){q[t]=a[i];q[t+192]=a[i+192];}__syncthreads();float v=0;F(k,8)v+=q[(t&31)*12+k];o[i]=v;}
K(s_half){I __shared__ short q[512];q[t]=t;q[t+256]=t;__syncthreads();o[i]=q[(t*s)&511];}
K(s_2d){I __shared__ float q[8][36];q[t>>5][t&31]=a[i];__syncthreads();float v=0;F(k,8)v+=q[k][(t&31)^s];o[i]=v;}
K(s_scan){I __shared__ float q[2][256];int p=0;q[0][t]=a[i];__syncthreads();for(int d=1;d<256;d*=2){q[1-p][t]=q[p][t]+(t>=d?q[p][t-d]:0);p=1-p;__syncthreads();}o[i]=q[p][t];}
K(s_red){I __shared__ float q[256];q[t]=a[i];for(int d=128;d>0;d/=2){__syncthreads();if(t<d)q[t]+=q[t+d];}if(t==0)o[blockIdx.x]=q[0];}
K(s_mm4){I __shared__ float A[32][32],B[32][32];int x=t&7,y=t>>3;float4 c=make_float4(0,0,0,0);F(k,4){((float4*)A[y])[x]=((const float4*)a)[(y*4+k)*8+x];((float4*)B[y])[x]=((const float4*)a)[(k*32+y)*8+x];__syncthreads();F(j,32){float v=A[y][j];float4 b=((float4*)B[j])[x];c.x+=v*b.x;c.y+=v*b.y;c.z+=v*b.z;c.w+=v*b.w;}__syncthreads();}((float4*)o)[i]=c;}
K(s_sten){I __shared__ float q[258];q[t+1]=a[i+1];if(t==0)q[0]=a[i];if(t==255)q[257]=a[i+2];__syncthreads();o[i]=q[t]+q[t+1]*s+q[t+2];}
K(s_dyn){I extern __shared__ float e[];e[t]=a[i];__syncthreads();o[i]=e[t^s]+e[t/2];}
// control
K(c_while){I int v=(int)a[i]+1,c=0;while(v!=1&&c<200){v=v&1?3*v+1:v/2;c+=(int)a[(v+c)&1023]&1?1:2;}o[i]=c;}
K(c_nest){I float v=0;F(j,(t&7)+1)F(k,(t>>3&3)+1){float x=a[(i*5+j*64+k)&(n-1)];if(x>s)v+=x;else if(x<20)break;}o[i]=v;}
K(c_goto){I float v=0;int j=0;top:if(j>=8)goto end;if(a[(i+j*256)&(n-1)]>700){v+=a[(i*2+j)&(n-1)];j+=2;goto top;}v-=1;j++;goto top;end:o[i]=v;}
K(c_sw9){I float v=a[i];switch((int)v%9){case 0:v=a[i+1];break;case 1:v=a[i+2]*2;break;case 2:v=a[i*2];break;case 3:v+=a[i*3];case 4:v*=3;break;case 5:v=a[n-1-i];break;case 6:o[i]=9;return;case 7:v=v*v;break;default:v=a[0];}o[i]=v;}
K(c_tail){I if(i<n/128-5)o[i]=a[i*s];}
K(c_and){I if(a[i]>300&&a[i+64]<700&&(a[i+128]>500||a[i+256]<250))o[i]=1;}
K(c_warp){I if((t>>5)&1)o[i]=a[i*4];else if(t&1)o[i]=a[i];}
K(c_vote){I float v=a[i];if(__any_sync(~0u,v>990))v+=a[i+32];v+=__shfl_xor_sync(~0u,v,s&31);o[i]=v;}
__device__ __noinline__ float deep(const float*p,int d){float v=p[d];if(d&1)v+=p[d*3];return v;}
K(c_call){I float v=deep(a+i,t&7);if(t&4)v+=deep(a,t);o[i]=v;}
// local, generic, const
K(l_dbl){I double w[8];F(j,8)w[(j*s+t)&7]=a[i+j];o[i]=w[s&7]+w[(s+t)&7];}
K(l_chr){I char w[32];F(j,32)w[(j+s)&31]=(char)a[j*256+t];int v=0;F(j,8)v+=w[(t+j*s)&31];o[i]=v;}
K(l_f4){I float4 w[4];F(j,4)w[(j+s)&3]=((const float4*)a)[i+j*64];float4 v=w[t&3];o[i]=v.x+v.y+v.z+v.w;}
K(g_sel){I __shared__ float q[256];q[t]=a[i];__syncthreads();const float*p=(t&s)?q+255-t:a+i;o[i]=*p;}
__constant__ float cc[64]={1,2,3};
K(g_con){I o[i]=cc[t&63]+cc[s&63]*a[i];}
K(g_cp16){I __shared__ float4 q[256];unsigned x=(unsigned)__cvta_generic_to_shared(q+t);asm volatile("cp.async.cg.shared.global [%0],[%1],16;\ncp.async.wait_all;"::"r"(x),"l"(a+i*4));__syncthreads();float4 v=q[255-t];o[i]=v.x+v.w;}
K(g_vol){I volatile float*p=o;p[i]=a[i];o[i+16384]=p[i]+p[i^1];}
#define L(k,s) k<<<32,256,1024>>>(o,a,1<<20,s);
#define S(k) L(k,1)L(k,5)
float h[1<<22];
int main(){float*o,*a;cudaMalloc(&o,1<<24);cudaMalloc(&a,1<<24);cudaMemset(o,0,1<<24);unsigned r=1;F(j,1<<22)r=r*1664525+1013904223,h[j]=(r>>8)%1000;cudaMemcpy(a,h,1<<24,cudaMemcpyDefault);
S(a_hist)L(a_hist,63)L(a_ret,0)L(a_uni,0)L(a_unir,0)L(a_blk,0)L(a_cas,0)S(a_u64)L(a_u64,63)L(a_f64,0)S(a_sres)L(a_sres,63)S(a_smax)L(a_smax,63)S(a_sf)
S(w_b2)S(w_d)L(w_s12,0)L(w_s24,0)S(w_ldg)S(w_rev)
S(s_d2)L(s_d2,2)S(s_f2)L(s_f2,2)S(s_row)L(s_row,8)L(s_row8,0)S(s_half)L(s_half,32)S(s_2d)L(s_scan,0)L(s_red,0)L(s_mm4,0)L(s_sten,2)S(s_dyn)
L(c_while,0)L(c_nest,400)L(c_goto,0)L(c_sw9,0)S(c_tail)L(c_and,0)L(c_warp,0)L(c_vote,3)L(c_call,0)
S(l_dbl)S(l_chr)S(l_f4)L(g_sel,1)L(g_sel,0)S(g_con)L(g_cp16,0)L(g_vol,0)
cudaDeviceSynchronize();puts(cudaGetErrorString(cudaGetLastError()));}
