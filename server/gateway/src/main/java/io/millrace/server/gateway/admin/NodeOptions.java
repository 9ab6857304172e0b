package io.millrace.server.gateway.admin;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The command line of pbsnodes: what is to be done, and in which form nodes are shown. */
final class NodeOptions {
  static final String LETTERS = "acC:dD:F:HjlLoqrs:Sv";

  static final String USAGE =
      """
      usage:\tpbsnodes [-{o|r}][-C comment][-s server] host host ...
      \tpbsnodes -l [-s server]
      \tpbsnodes [-s server] -v vnode vnode ...
      \tpbsnodes -a[v][S[j][L]][-F format][-D delim][-s server]
      \tpbsnodes -[H][S[j][L]][-F format][-D delim] host host ...
      \tpbsnodes --version

      """;

  private static final String NOT_DOWN = "a node is down when its host is not heard; use -o";

  static final Syntax SYNTAX = Syntax.of(LETTERS, USAGE).refusing(Map.of('d', NOT_DOWN));

  /** What an invocation of pbsnodes asks for: to show something, or to change nodes. */
  enum Request {
    SHOW,
    SHOW_ALL,
    /** Each node of the hosts that are named. */
    SHOW_NODES_OF_HOSTS,
    LIST_UNUSABLE,
    OFFLINE,
    RESET,
    COMMENT
  }

  /** How nodes are written. */
  enum NodeFormat {
    LIST,
    DSV,
    JSON
  }

  private static final List<Request> SHOWING =
      List.of(Request.SHOW, Request.SHOW_ALL, Request.SHOW_NODES_OF_HOSTS);

  private final GetOpt options;
  private Request request = Request.SHOW;
  private NodeFormat format = NodeFormat.LIST;
  private boolean wrong;
  private boolean single;

  private NodeOptions(GetOpt options) {
    this.options = options;
  }

  /**
   * @throws Failure with the usage, which -q keeps back
   */
  static NodeOptions of(Call call) throws Failure {
    NodeOptions read = new NodeOptions(call.options(LETTERS));
    read.wrong = read.options.wrong() || call.args().isEmpty();
    for (GetOpt.GivenOption option : read.options.options()) {
      read.read(call, option);
    }
    boolean named = !read.options.operands().isEmpty();
    boolean wantsNames = read.request != Request.SHOW_ALL && read.request != Request.LIST_UNUSABLE;
    boolean names = read.request == Request.LIST_UNUSABLE ? !named : named || !wantsNames;
    boolean rows = !read.has('S') || SHOWING.contains(read.request);
    if (read.wrong || !names || !rows) {
      throw new Failure(read.quiet() ? "" : USAGE, 1);
    }
    return read;
  }

  private void read(Call call, GetOpt.GivenOption option) throws Failure {
    switch (option.letter()) {
      case 'a' -> become(request == Request.SHOW, Request.SHOW_ALL);
      case 'H' -> become(request == Request.SHOW, Request.SHOW_NODES_OF_HOSTS);
      case 'l' -> become(request == Request.SHOW || single, Request.LIST_UNUSABLE);
      case 'o' -> become(markable(), Request.OFFLINE);
      // The state down ends by itself as soon as the host's executor is heard.
      case 'r', 'c' -> become(markable(), Request.RESET);
      case 'C' -> {
        if (request == Request.SHOW) {
          request = Request.COMMENT;
        } else {
          wrong |= request != Request.OFFLINE && request != Request.RESET;
        }
      }
      case 'd' -> throw new Failure(call.refused("-d", NOT_DOWN).text(), 1);
      case 'D', 'j', 'L', 'S' -> wrong |= !SHOWING.contains(request);
      case 'v' -> {
        wrong |= request != Request.SHOW && request != Request.SHOW_ALL;
        single = true;
      }
      case 'F' -> format(option.argument());
      default -> {
        // q and s do not choose an action
      }
    }
  }

  private boolean markable() {
    return request == Request.SHOW || single || request == Request.COMMENT;
  }

  private void become(boolean possible, Request wanted) {
    wrong |= !possible;
    request = wanted;
  }

  private void format(String name) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case "default" -> format = NodeFormat.LIST;
      case "dsv" -> format = NodeFormat.DSV;
      case "json" -> format = NodeFormat.JSON;
      default -> wrong = true;
    }
  }

  private boolean has(char letter) {
    return options.has(letter);
  }

  Request request() {
    return request;
  }

  NodeFormat format() {
    return format;
  }

  List<String> names() {
    return options.operands();
  }

  /** Whether nodes are shown; otherwise hosts are, each with all its nodes. */
  boolean nodes() {
    return single || request == Request.SHOW_NODES_OF_HOSTS;
  }

  /** Whether each node or host is one row of a table. */
  boolean rows() {
    return has('S');
  }

  boolean rowsOfJobs() {
    return has('j');
  }

  boolean whole() {
    return has('L');
  }

  boolean quiet() {
    return has('q');
  }

  String delimiter() {
    return has('D') ? options.argument('D') : "|";
  }

  /** The comment that is to be set; null for none. */
  String comment() {
    return options.argument('C');
  }

  /** The server that is asked; null for the own one. */
  String server() {
    return options.argument('s');
  }
}
