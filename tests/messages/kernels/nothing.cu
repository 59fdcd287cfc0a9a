__global__ void nothing(int n) {}
