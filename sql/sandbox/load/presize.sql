-- twin of load/presize sha256:af9f41deb6932380ef98c34103a81ba3b6dd3331836dfd2dcdb6e987ec441c89
-- the engine's files grow with the tables
DO 0;
