// SPDX-License-Identifier: Apache-2.0
// Comments that speak to the tool are kept with their positions.
int f(int n)
{
    // guardlint: allow(guard-leak) handed to the driver
    n++; /* guardlint: allow(wrong-stream) one stream only */
    const char *s = "// guardlint: not a comment";
    return n + (s != 0); // Guardlint: spelled differently
}
