// A sum in the order of the array, as C demands without leave to reassociate.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

enum { SIZE = 2048 };

static double values[SIZE];

int64_t kernel(int64_t n) {
    for (int i = 0; i < SIZE; i++)
        values[i] = 1.0 / (i + 3);
    double total = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < SIZE; k++)
            total += values[k];
        values[i & (SIZE - 1)] = total > 1e6 ? 0.5 : 0.25;
    }
    return (int64_t)(total * 1000);
}
