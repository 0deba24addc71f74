/* Comes before every file of zstd: system headers see the machine, zstd itself does not, and so
   takes its paths in C instead of those in assembly. */
#define _GNU_SOURCE
#include <emmintrin.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef __x86_64__
