/* sheet: somebody else's measurements as text: a reader that never trusts its input.  Pure functions of bytes.
 *
 * A heading line, then a row a line.  Fields are separated by tabs when the heading has one, else by bars (as in Markdown), else by
 * semicolons, else by commas, else by blanks (by two or more where the heading's names hold single ones).  Lines of dashes are passed
 * over; where one of dashes and blanks follows the heading, it gives the columns by their places, as SQL tools print them, and all lines
 * above it are the heading.  Fields may stand in double quotes ("" is one quote).  Lines that begin with # and empty lines are left out,
 * also before the heading.  A heading that consists of numbers alone is a row: the columns are then called "1", "2", ...  Where only the
 * first name is none and the others are sizes, the table lies on its side and is turned.  Lines may end with CR LF; a byte order mark is
 * skipped.  Decimal commas are seen where no field has a decimal point, and become points. */
#ifndef RK_ANALYSIS_SHEET_H
#define RK_ANALYSIS_SHEET_H

#include "base/cause.h"

#include <stddef.h>

#define SHEET_BYTES_MAX (4u << 20)
#define SHEET_COLUMNS_MAX 200
#define SHEET_ROWS_MAX 20000

/* A row keeps its fields as they stand; it may have fewer or more than the heading. */
struct sheet_row {
  size_t line; /* in the file, from 1 */
  size_t n;
  char **field;
};

struct sheet {
  size_t ncol, nrow;
  char **column; /* names, trimmed */
  struct sheet_row *row;
};

/* Read the bytes.  Fails with a sentence that names the line when they are no text, too large, or hold no rows. */
int sheet_parse(struct sheet **, const char *data, size_t size, struct cause *);
void sheet_free(struct sheet *);

/* The index of the column of that name (letters' case does not matter), else of that number from 1, or -1. */
int sheet_column(const struct sheet *, const char *name);

/* A number as tables have it: blanks around it, a sign, thousands separated by commas ("1,234.5"), blanks (also the narrow and the
 * unbroken one), apostrophes or underscores, a decimal point, an exponent, a % behind it. Returns 0 and the value (finite), or -1. */
int sheet_number(const char *field, double *value);
/* The same of the beginning of a field; *rest: what follows, blanks passed over ("ms" of "2.5 ms", "" when nothing). */
int sheet_number_at(const char *field, double *value, const char **rest);
/* Keep only the rows whose field in that column is `value` (letters' case does not matter, numbers by their value); returns how many. */
size_t sheet_keep(struct sheet *, int column, const char *value);

/* Of sheet_parse: decimal commas to points; a table on its side turned.  In sheet_mend.c. */
void sheet_mend_commas(struct sheet *);
void sheet_mend_side(struct sheet *);

/* Is nothing there: empty, "-", "NA", "n/a", "null", "NaN"? */
int sheet_empty(const char *field);

#endif
