/* Simulates a slower disk: every fsync and fdatasync of the process takes 2 ms more. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

int fsync(int file) {
  usleep(2000);
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  return real(file);
}

int fdatasync(int file) {
  usleep(2000);
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  return real(file);
}
