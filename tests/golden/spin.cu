// (t * mul) % mod: which of the words a lane adds to; s = mul | mod << 8 | lanes << 16
typedef unsigned long long u64;
#define K(n,T,...) extern "C" __global__ void n(float*o,const float*a,int nn,int s){int t=threadIdx.x,m=s&255,d=s>>8&255,k=s>>16;__shared__ T q[256];for(int j=t;j<256;j+=blockDim.x)q[j]=0;__syncthreads();T*p=q+t*m%d;if(t<k)__VA_ARGS__;__syncthreads();for(int j=t;j<256;j+=blockDim.x)((T*)o)[blockIdx.x*256+j]=q[j];}
K(a_u64,u64,atomicAdd(p,(u64)t+1))
K(a_f64,double,atomicAdd(p,1.0))
K(a_or64,u64,atomicOr(p,(u64)1<<t))
K(a_f32,float,atomicAdd(p,1.0f))
K(a_u64r,u64,((u64*)o)[8192+blockIdx.x*blockDim.x+t]=atomicAdd(p,(u64)t+1))
