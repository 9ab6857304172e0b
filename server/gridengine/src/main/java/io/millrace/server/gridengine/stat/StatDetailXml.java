package io.millrace.server.gridengine.stat;

import java.util.List;
import java.util.Map;

/** qstat -j -xml: what is known of jobs, and why they wait. */
final class StatDetailXml {

  /** Grid Engine's numbers of messages, as far as it was seen to use them. */
  private static final Map<String, Integer> NUMBERS =
      Map.of(
          "cannot run globally because", 20,
          "cannot run in PE ", 24,
          "dropped because it is overloaded", 27,
          "All queues dropped because", 28,
          "Job is in error state", 32,
          "Job is in hold state", 33,
          "dropped because it is full", 37,
          "due to 'max_aj_instances'", 45);

  private StatDetailXml() {}

  /** Jobs that there are not. */
  static String unknown(List<String> names) {
    StringBuilder text = new StringBuilder(Xml.HEAD).append("<unknown_jobs >\n");
    names.forEach(
        name -> text.append("    <ST_name>").append(Xml.escaped(name)).append("</ST_name>\n"));
    return text.append("</unknown_jobs>\n").toString();
  }

  /**
   * @param queues messages about queue instances, which concern all jobs
   */
  static String of(List<StatDetail> details, List<String> queues) {
    Xml out = new Xml().root("detailed_job_info", "detailed_job_info.xsd").open("djob_info");
    for (StatDetail detail : details) {
      out.open("element");
      new StatElements(detail.facts(), out).write();
      out.close("element");
    }
    out.close("djob_info").open("messages").open("element").open("SME_message_list");
    for (StatDetail detail : details) {
      for (String message : detail.messages()) {
        out.open("element").open("MES_job_number_list").open("ulong_sublist");
        out.element("ULNG_value", detail.facts().number());
        out.close("ulong_sublist").close("MES_job_number_list");
        message(out, message);
        out.close("element");
      }
    }
    out.close("SME_message_list").open("SME_global_message_list");
    for (String message : queues) {
      out.open("element");
      message(out, message);
      out.close("element");
    }
    out.close("SME_global_message_list").close("element").close("messages");
    return out.close("detailed_job_info").toString();
  }

  private static void message(Xml out, String message) {
    NUMBERS.forEach(
        (part, number) -> {
          if (message.contains(part)) {
            out.element("MES_message_number", number);
          }
        });
    out.element("MES_message", message);
  }
}
