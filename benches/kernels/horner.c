// A polynomial of high degree by Horner's rule: each step waits for the one before.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

enum { DEGREE = 512 };

static double coefficients[DEGREE];

int64_t kernel(int64_t n) {
    for (int i = 0; i < DEGREE; i++)
        coefficients[i] = (i % 17 - 8) / 16.0;
    double x = 0.5, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double value = 0;
        for (int k = 0; k < DEGREE; k++)
            value = value * x + coefficients[k];
        sum += value;
        x = value * 0.03125 + 0.75;
        x = x > 0.9375 ? 0.5 : x;
    }
    return (int64_t)(sum * 1e6);
}
