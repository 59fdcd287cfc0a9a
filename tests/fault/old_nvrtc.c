// Stands in for the NVRTC of CUDA 11.8, which the program does not use: it is asked for its version and for no more.
// SPDX-License-Identifier: MIT
int nvrtcVersion(int *major, int *minor);
int nvrtcVersion(int *major, int *minor) { return *major = 11, *minor = 8, 0; }

#define ABSENT(name) \
    int name(void); \
    int name(void) { return 1; }
ABSENT(nvrtcGetNumSupportedArchs)
ABSENT(nvrtcGetSupportedArchs)
ABSENT(nvrtcCreateProgram)
ABSENT(nvrtcCompileProgram)
ABSENT(nvrtcDestroyProgram)
ABSENT(nvrtcGetProgramLogSize)
ABSENT(nvrtcGetProgramLog)
ABSENT(nvrtcGetPTXSize)
ABSENT(nvrtcGetPTX)
ABSENT(nvrtcGetCUBINSize)
ABSENT(nvrtcGetCUBIN)
ABSENT(nvrtcGetErrorString)
ABSENT(nvrtcAddNameExpression)
ABSENT(nvrtcGetLoweredName)
