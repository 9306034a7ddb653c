/* A disk whose flush takes longer: every fsync and fdatasync of the process also sleeps FSYNC_DELAY_US. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void delay(void) {
  const char *microseconds = getenv("FSYNC_DELAY_US");
  if (microseconds) usleep((useconds_t)atoi(microseconds));
}

int fsync(int file) {
  delay();
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  return real(file);
}

int fdatasync(int file) {
  delay();
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  return real(file);
}
