/* Random playouts on an empty board in C, the reference for benchmarks/playouts.py.
 *
 *   cc -O3 -march=native -o yardstick yardstick.c && ./yardstick SIZE SECONDS walk|race|pente
 *
 * walk   Gomoku, stone after stone; the last stone's four lines are followed until the colour ends
 * race   Gomoku, one random order of all points; the row of five whose last stone comes earliest
 *        wins, found by comparing whole boards of move numbers shifted along each axis
 * pente  Pente-free, stone after stone, with captures of pairs; ten captured stones win
 *
 * Prints playouts per second, then the shares of first player's wins, second's, and draws.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EMPTY, FIRST, SECOND, BORDER, MAX_SIZE = 25, MARGIN = 5 };
enum { MAX_ROW = MAX_SIZE + MARGIN, MAX_CELLS = MAX_ROW * (MAX_SIZE + 2 * MARGIN) + MARGIN };
#define NEVER UINT16_MAX

static int size, row, cells, first_cell;
static int axes[4];
static int points[MAX_SIZE * MAX_SIZE], point_count;
static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n) { /* SplitMix64, upper half, scaled */
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(((z ^ z >> 31) >> 32) * n >> 32);
}

static void make_board(void) {
    row = size + MARGIN;
    first_cell = MARGIN * row + MARGIN;
    cells = row * (size + 2 * MARGIN) + MARGIN;
    int steps[4] = {1, row, row + 1, row - 1};
    memcpy(axes, steps, sizeof axes);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) points[point_count++] = first_cell + y * row + x;
}

/* Five or more through a stone that was just placed? */
static int has_five(const uint8_t *board, int cell, uint8_t colour) {
    for (int a = 0; a < 4; a++) {
        int back = cell, ahead = cell;
        while (board[back - axes[a]] == colour) back -= axes[a];
        while (board[ahead + axes[a]] == colour) ahead += axes[a];
        if (ahead - back >= 4 * axes[a]) return 1;
    }
    return 0;
}

static int walk(int captures) {
    static uint8_t board[MAX_CELLS];
    static int empty[MAX_SIZE * MAX_SIZE];
    int empties = point_count, taken[3] = {0, 0, 0};
    memset(board, BORDER, sizeof board);
    for (int i = 0; i < point_count; i++) board[empty[i] = points[i]] = EMPTY;
    for (uint8_t colour = FIRST; empties; colour = FIRST + SECOND - colour) {
        uint32_t pick = random_below((uint32_t)empties);
        int cell = empty[pick];
        empty[pick] = empty[--empties];
        board[cell] = colour;
        if (has_five(board, cell, colour)) return colour;
        if (!captures) continue;
        uint8_t enemy = FIRST + SECOND - colour;
        for (int d = 0; d < 8; d++) {
            int step = d < 4 ? axes[d] : -axes[d - 4];
            if (board[cell + step] == enemy && board[cell + 2 * step] == enemy
                && board[cell + 3 * step] == colour) {
                board[empty[empties++] = cell + step] = EMPTY;
                board[empty[empties++] = cell + 2 * step] = EMPTY;
                taken[colour] += 2;
            }
        }
        if (taken[colour] >= 10) return colour;
    }
    return 0;
}

static uint16_t earliest_row(const uint16_t *at) {
    uint16_t best = NEVER;
    for (int a = 0; a < 4; a++) {
        int s = axes[a];
        for (int i = first_cell; i < first_cell + size * row; i++) {
            uint16_t last = at[i];
            for (int j = 1; j < 5; j++) last = at[i + j * s] > last ? at[i + j * s] : last;
            best = last < best ? last : best;
        }
    }
    return best;
}

static int race(void) {
    static uint16_t at[2][MAX_CELLS + 4 * MAX_ROW];
    static int order[MAX_SIZE * MAX_SIZE];
    memset(at, 0xff, sizeof at);
    memcpy(order, points, sizeof order);
    for (int i = 0; i < point_count; i++) {
        int j = i + (int)random_below((uint32_t)(point_count - i)), cell = order[j];
        order[j] = order[i];
        at[i % 2][cell] = (uint16_t)i;
    }
    uint16_t one = earliest_row(at[0]), two = earliest_row(at[1]);
    return one == two ? 0 : one < two ? FIRST : SECOND;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4 || (size = atoi(argv[1])) < 5 || size > MAX_SIZE) return 2;
    double seconds = atof(argv[2]), start = now(), spent;
    const char *method = argv[3];
    long results[3] = {0, 0, 0}, games = 0;
    make_board();
    do {
        for (int i = 0; i < 1000; i++, games++)
            results[!strcmp(method, "race") ? race() : walk(!strcmp(method, "pente"))]++;
        spent = now() - start;
    } while (spent < seconds);
    printf("%.0f %.4f %.4f %.4f\n", (double)games / spent, (double)results[FIRST] / (double)games,
           (double)results[SECOND] / (double)games, (double)results[0] / (double)games);
    return 0;
}
