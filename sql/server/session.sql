/* ramknee:server/session */
/* The first statement of every connection.  FreeTDS logs in with most of these off, and then indexed views and filtered indexes fail;
   XACT_ABORT makes a transaction roll back when the client asks to stop. */
SET NOCOUNT ON;
SET ANSI_NULLS ON;
SET ANSI_PADDING ON;
SET ANSI_WARNINGS ON;
SET QUOTED_IDENTIFIER ON;
SET CONCAT_NULL_YIELDS_NULL ON;
SET ARITHABORT ON;
SET NUMERIC_ROUNDABORT OFF;
SET XACT_ABORT ON;
SET IMPLICIT_TRANSACTIONS OFF;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET TEXTSIZE 1048576;
