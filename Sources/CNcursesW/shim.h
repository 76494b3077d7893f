#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <term.h>

// What ncurses has as macros that Swift can't see.
static const attr_t dux_bold = WA_BOLD;
static const attr_t dux_dim = WA_DIM;
static const attr_t dux_italic = WA_ITALIC;
static const attr_t dux_underline = WA_UNDERLINE;
static const attr_t dux_reverse = WA_REVERSE;

// What the C library declares only for programs that ask for its extensions.
extern int memfd_create(const char *name, unsigned int flags);
extern int wcwidth(wchar_t character);
