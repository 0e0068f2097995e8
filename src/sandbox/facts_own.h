/* facts_own: of the views that facts fills, those whose rows the front door knows by itself, without asking the engine. */
#ifndef RK_SANDBOX_FACTS_OWN_H
#define RK_SANDBOX_FACTS_OWN_H

#include "sandbox/server.h"
#include "base/text.h"

/* Each adds the statements that fill its views to the script. */
void facts_settings(struct server *, struct text *script);
void facts_databases(struct server *, struct text *script);
void facts_sessions(struct server *, struct text *script);
void facts_properties(struct server *, struct text *script); /* SERVERPROPERTY */
void facts_schedulers(struct text *script);                  /* they never change */
/* The volume under the data: its size and room, times 1,024 like all sizes.  -1: it cannot be looked at. */
int facts_volume(struct server *, struct text *script, struct cause *);

#endif
