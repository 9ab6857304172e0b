package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schedulers.gridengine.language.options.Option.Effect;
import java.util.List;
import java.util.Set;

/** access_list: what {@code qconf -su NAME} prints. */
public final class AccessListOptions {

  private static final String SHARES =
      "Nothing: departments, shares and override tickets are no part of the order of jobs here.";

  private static final List<Option> ROWS =
      List.of(
          new Option(
              "name",
              Form.NAME,
              "template",
              Effect.DECIDES,
              "The list's name.",
              "Which user_lists and xuser_lists mean it."),
          new Option(
              "type",
              Form.matching("of ACL and DEPT", "(?i)(acl|dept)([\\s,]+(acl|dept))?", "ACL", "DEPT"),
              "ACL",
              Effect.KEPT,
              "Whether it is an access list, a department or both.",
              SHARES),
          new Option(
              "fshare",
              Form.COUNT,
              "0",
              Effect.KEPT,
              "The department's functional shares.",
              SHARES),
          new Option(
              "oticket",
              Form.COUNT,
              "0",
              Effect.KEPT,
              "The department's override tickets.",
              SHARES),
          new Option(
              "entries",
              Form.names(
                  "NONE or a list of users; Unix groups (@NAME) are not looked up here",
                  "[\\w.$+-]+"),
              "NONE",
              Effect.DECIDES,
              "The users that belong to it.",
              "Whose jobs run where the list is asked for."));

  public static final OptionTable TABLE = new OptionTable("an access list", ROWS, Set.of("name"));

  private AccessListOptions() {}
}
