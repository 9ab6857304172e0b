package io.millrace.server.gateway.admin;

/** What a directive of qmgr asks for; quit ends a session, and what is for hooks is refused. */
enum QmgrOperation {
  ACTIVE,
  CREATE,
  DELETE,
  SET,
  UNSET,
  LIST,
  PRINT,
  HELP,
  OF_HOOKS,
  QUIT
}
