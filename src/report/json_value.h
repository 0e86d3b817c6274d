// SPDX-License-Identifier: Apache-2.0
// JSON values from the analyzer's data, for the formats that are JSON.
#ifndef GL_REPORT_JSON_VALUE_H
#define GL_REPORT_JSON_VALUE_H

#include <jansson.h>
#include <stdio.h>

// A string, or null for NULL. Bytes that are no UTF-8 become U+FFFD: paths and literals may hold any.
json_t *gl_json_text(const char *text);
// Writes the value, indented, with a line end, and drops the reference.
void gl_json_write(json_t *value, FILE *stream);

#endif
