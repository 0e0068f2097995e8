/* file: reading and writing files so that nothing is half there. */
#ifndef RK_BASE_FILE_H
#define RK_BASE_FILE_H

#include "base/cause.h"

#include <stddef.h>
#include <sys/types.h>

/* Fill the standard descriptors that were closed when we were started, so that no file or connection opened later takes their numbers
 * and gets what is meant for a person; reading or writing them stays an error.  Call first in main. */
void file_hold_standard(void);

/* A cause when something is there that reading might wait for without end (a pipe, a device); what is not there is left to file_read. */
int file_expect_regular(const char *path, struct cause *);

/* Read a whole file of at most `max` bytes; *data is NUL-terminated (the NUL not counted in *size) and freed by the caller. */
int file_read(const char *path, size_t max, char **data, size_t *size, struct cause *);

/* Write a file so that a reader finds the old one or the whole new one: a temporary beside it, fsync, rename, fsync of the folder. */
int file_write(const char *path, const char *data, size_t size, mode_t mode, struct cause *);

/* Make a folder and those above it (mode 0777 & ~umask); one that exists is fine. */
int folder_make(const char *path, struct cause *);

/* fsync a folder, so that a rename or unlink in it is on the disk. */
int folder_sync(const char *path, struct cause *);

/* Remove a folder and all below it, not following links.  One that is not there is fine. */
int folder_remove(const char *path, struct cause *);

/* $XDG_STATE_HOME/ramknee or $HOME/.local/state/ramknee (else the password database's home), new memory; NULL with a cause when none can be told. */
char *state_folder(struct cause *);

#endif
