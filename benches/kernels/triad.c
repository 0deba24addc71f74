// One array from two others, 8 MiB each: the bandwidth of memory.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

enum { SIZE = 1 << 20 };

static double a[SIZE], b[SIZE], c[SIZE];

int64_t kernel(int64_t n) {
    for (int64_t i = 0; i < SIZE; i++) {
        b[i] = (double)(i & 1023);
        c[i] = (double)(i & 7);
    }
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double factor = (double)(i & 15);
        for (int64_t k = 0; k < SIZE; k++)
            a[k] = b[k] + factor * c[k];
        sum += a[(i * 4099) & (SIZE - 1)];
    }
    return (int64_t)sum;
}
