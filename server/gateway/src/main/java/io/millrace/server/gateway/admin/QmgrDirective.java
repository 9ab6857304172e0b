package io.millrace.server.gateway.admin;

import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.Failure;
import java.util.List;

/**
 * One directive of qmgr, read and not yet carried out.
 *
 * @param kind null for help and quit
 * @param names as given, without "@server"; empty when none was
 * @param atServer whether "@server" stood there: all objects
 * @param changes attributes; for unset and list only their names count
 * @param servers all that stood behind an "@"; whoever carries it out must be one of each
 */
record QmgrDirective(
    QmgrOperation operation,
    ObjectKind kind,
    List<String> names,
    boolean atServer,
    List<AttributeChange> changes,
    List<String> servers) {

  /** How PBS says that a directive or a command line names another server. */
  static Failure unknownServer(String server, int status) {
    return new Failure("Unknown Host.\nqmgr: cannot connect to server " + server + "\n", status);
  }
}
