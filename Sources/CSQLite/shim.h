#include <sqlite3.h>

/* sqlite3_db_config takes a variable number of arguments, which Swift cannot call. */
static inline int dux_sqlite3_db_config_on(sqlite3 *db, int option) {
  return sqlite3_db_config(db, option, 1, (int *)0);
}
