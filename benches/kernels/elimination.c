// Gaussian elimination of small dense systems, with pivots.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

enum { SIZE = 12 };

static double matrix[SIZE][SIZE + 1];

static void fill(uint32_t seed) {
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column <= SIZE; column++) {
            seed = seed * 1664525u + 1013904223u;
            matrix[row][column] = (double)(seed >> 20) - 2048.0;
        }
}

static int pivot(int column) {
    int best = column;
    for (int row = column + 1; row < SIZE; row++) {
        double a = matrix[row][column], b = matrix[best][column];
        if ((a < 0 ? -a : a) > (b < 0 ? -b : b))
            best = row;
    }
    return best;
}

static double eliminate(void) {
    double determinant = 1;
    for (int column = 0; column < SIZE; column++) {
        int best = pivot(column);
        if (matrix[best][column] == 0)
            return 0;
        for (int k = column; k <= SIZE; k++) {
            double kept = matrix[best][k];
            matrix[best][k] = matrix[column][k];
            matrix[column][k] = kept;
        }
        determinant *= matrix[column][column] / 1024;
        for (int row = column + 1; row < SIZE; row++) {
            double factor = matrix[row][column] / matrix[column][column];
            for (int k = column; k <= SIZE; k++)
                matrix[row][k] -= factor * matrix[column][k];
        }
    }
    return determinant;
}

int64_t kernel(int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        fill((uint32_t)(i + (sum & 7)));
        sum += (int64_t)eliminate();
    }
    return sum;
}
