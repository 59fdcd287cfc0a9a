/*
about: "Does nothing: what is left is what a launch costs."
params:
  workers: {default: 1024, min: 1, about: threads}
threads: workers
useful: 0
*/
extern "C" __global__ void empty(size_t workers) {}
