// Matrices of 64 by 64 multiplied row by row: the inner loop runs along memory.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

enum { SIZE = 64 };

static float a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(void) {
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++)
            c[i][j] = 0;
        for (int k = 0; k < SIZE; k++)
            for (int j = 0; j < SIZE; j++)
                c[i][j] += a[i][k] * b[k][j];
    }
}

int64_t kernel(int64_t n) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (float)((i * 3 + j) % 13 - 6);
            b[i][j] = (float)((i + j * 5) % 11 - 5);
        }
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        a[i & 63][sum & 63] = (float)(i & 3);
        multiply();
        sum += (int64_t)(c[i & 63][7] + 2 * c[5][sum & 63]);
    }
    return sum;
}
