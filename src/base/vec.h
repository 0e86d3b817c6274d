// SPDX-License-Identifier: Apache-2.0
// Growable arrays: struct { T *items; size_t count, capacity; } driven by macros. Free with GL_VEC_FREE.
#ifndef GL_BASE_VEC_H
#define GL_BASE_VEC_H

#include "base/arena.h"

#include <stdlib.h>

#define GL_VEC(type)                                                                                         \
    struct {                                                                                                 \
        type *items;                                                                                         \
        size_t count, capacity;                                                                              \
    }

#define GL_VEC_RESERVE(vec, wanted)                                                                          \
    do {                                                                                                     \
        if ((vec)->capacity < (wanted)) {                                                                    \
            size_t gl_capacity_ = (vec)->capacity ? (vec)->capacity * 2 : 8;                                 \
            while (gl_capacity_ < (wanted))                                                                  \
                gl_capacity_ *= 2;                                                                           \
            (vec)->items = gl_xrealloc((vec)->items, gl_capacity_ * sizeof *(vec)->items);                   \
            (vec)->capacity = gl_capacity_;                                                                  \
        }                                                                                                    \
    } while (0)

#define GL_VEC_PUSH(vec, ...)                                                                                \
    do {                                                                                                     \
        GL_VEC_RESERVE((vec), (vec)->count + 1);                                                             \
        (vec)->items[(vec)->count++] = (__VA_ARGS__);                                                        \
    } while (0)

#define GL_VEC_FREE(vec)                                                                                     \
    do {                                                                                                     \
        free((vec)->items);                                                                                  \
        (vec)->items = NULL;                                                                                 \
        (vec)->count = (vec)->capacity = 0;                                                                  \
    } while (0)

#define GL_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
