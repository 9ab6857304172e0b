package io.millrace.server.gateway.request;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import java.util.List;

/** Reads the options of qsub, wherever they stand: a command line, a script, a server's preset. */
public final class QsubOptions {

  public static final String USAGE =
      """
      usage: qsub [-a date_time] [-A account_string] [-c interval]
      \t[-C directive_prefix] [-e path] [-f ] [-h ] [-I [-X]] [-j oe|eo] [-J X-Y[:Z]]
      \t[-k keep] [-l resource_list] [-m mail_options] [-M user_list]
      \t[-N jobname] [-o path] [-p priority] [-P project] [-q queue] [-r y|n]
      \t[-R o|e|oe] [-S path] [-u user_list] [-W otherattributes=value...]
      \t[-v variable_list] [-V ] [-z] [script | -- command [arg1 ...]]
             qsub --version
      """;

  private QsubOptions() {}

  /**
   * The options of a line.
   *
   * @throws Failure with the usage when one of them is wrong
   */
  public static JobOptions of(Call call, GetOpt options) throws Failure {
    if (options.wrong()) {
      throw call.usage(USAGE);
    }
    return read(call, options.options());
  }

  public static JobOptions read(Call call, List<GetOpt.GivenOption> options) throws Failure {
    return new SubmitSyntax(call, USAGE, false).read(options);
  }
}
