libsandbox_a_SOURCES += \
	%D%/agent.c %D%/agent.h \
	%D%/arena.c %D%/arena.h \
	%D%/bulk.c \
	%D%/bulk_in.c %D%/bulk_in.h \
	%D%/call.c \
	%D%/client.c %D%/client.h \
	%D%/cursor.h \
	%D%/engine.c %D%/engine.h %D%/engine_private.h \
	%D%/errors.c \
	%D%/facts.c %D%/facts.h \
	%D%/facts_own.c %D%/facts_own.h \
	%D%/field.h \
	%D%/filestats.c %D%/filestats.h \
	%D%/hints.c %D%/hints.h \
	%D%/hold.c %D%/hold.h \
	%D%/lex.c %D%/lex.h \
	%D%/listener.c %D%/listener.h \
	%D%/native.c \
	%D%/packet.c %D%/packet.h \
	%D%/persona.c %D%/persona.h \
	%D%/pool.c \
	%D%/prepared.c %D%/prepared.h \
	%D%/probe.c %D%/probe.h \
	%D%/procedures.c \
	%D%/prompt.c \
	%D%/property.c %D%/property.h \
	%D%/quote.c %D%/quote.h \
	%D%/reply.h \
	%D%/result.c %D%/result.h \
	%D%/rows.c %D%/rows.h \
	%D%/server.c %D%/server.h \
	%D%/session.c %D%/session.h %D%/session_private.h \
	%D%/settings.c %D%/settings.h \
	%D%/statements.c %D%/statements.h \
	%D%/tds_in.c %D%/tds_in.h \
	%D%/tds_out.c %D%/tds_out.h \
	%D%/tds_text.c %D%/tds_text.h \
	%D%/tds_type.c %D%/tds_type.h \
	%D%/tds_value.c \
	%D%/translate.c %D%/translate.h \
	%D%/utf16.c %D%/utf16.h
