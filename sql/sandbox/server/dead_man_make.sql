-- twin of server/dead_man_make sha256:1b9dffb4f6552e243955c63411b9ced4943e8331beffbc1ee8f87ad4ed31b74d
-- the sandbox's Agent (agent.c) runs what stands in this table
INSERT INTO msdb.sysjobs (name, database_name, command) VALUES (@job, @rk_db, CONCAT(@step_1, @step_2, @step_3))
