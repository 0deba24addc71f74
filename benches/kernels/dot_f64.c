// A product of vectors, added up in any order; whole numbers, so that every order agrees.
#include <stdint.h>
#pragma clang fp reassociate(on) contract(fast)

enum { SIZE = 2048 };

static double a[SIZE], b[SIZE];

int64_t kernel(int64_t n) {
    for (int i = 0; i < SIZE; i++) {
        a[i] = i % 37 - 18;
        b[i] = i % 29 - 14;
    }
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        a[(sum + i) & (SIZE - 1)] = (double)(i & 7);
        double total = 0;
        for (int k = 0; k < SIZE; k++)
            total += a[k] * b[k];
        sum += (int64_t)total;
    }
    return sum;
}
