package io.millrace.server.campaigns.core.admission;

import io.millrace.schemas.campaign.AdmissionRule;
import io.millrace.schemas.campaign.AdmissionRules;
import io.millrace.schemas.campaign.AdmissionRulesSet;
import io.millrace.schemas.campaign.SetAdmissionRules;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides which rules are set, and which campaigns they let pass. Changes nothing. */
public final class AdmissionDeciders {

  static final int RULES_MAX = 50;

  /** Characters of what a user is told. */
  static final int MESSAGE_MAX = 200;

  /** Steps of all rules for all clusters of a campaign. */
  private static final long STEPS_MAX = 1_000_000;

  private final CampaignTable table;

  /** Those that were read last, by their expressions: the state says which count. */
  private final Map<String, RuleProgram> programs = new HashMap<>();

  public AdmissionDeciders(CampaignTable table) {
    this.table = table;
  }

  private static Reply answer(CommandMeta meta, PbsError error, String line) {
    return new Reply(meta.getId(), error.code(), List.of(line), false);
  }

  /** What the sender of new rules is told; 0: they are good. */
  public Reply answer(SetAdmissionRules command) {
    CommandMeta meta = command.getMeta();
    if (meta.getRole() != Role.MANAGER) {
      return answer(meta, PbsError.UNAUTHORIZED, "managers set admission rules");
    }
    List<AdmissionRule> rules = command.getRules();
    if (rules.size() > RULES_MAX) {
      String most = rules.size() + " rules; at most " + RULES_MAX + " may be";
      return answer(meta, PbsError.ILLEGAL_VALUE, most);
    }
    for (int i = 0; i < rules.size(); i++) {
      String wrong = wrong(rules.get(i));
      if (!wrong.isEmpty()) {
        return answer(meta, PbsError.ILLEGAL_VALUE, "rule " + (i + 1) + ": " + wrong);
      }
    }
    return new Reply(meta.getId(), 0, List.of(Integer.toString(rules.size())), false);
  }

  private static String wrong(AdmissionRule rule) {
    String message = rule.getMessage();
    if (message.isBlank() || message.length() > MESSAGE_MAX || !message.matches("\\P{Cntrl}*")) {
      return "its message is a line of 1 to " + MESSAGE_MAX + " characters";
    }
    try {
      RuleProgram.of(rule.getExpression());
      return "";
    } catch (WrongRule e) {
      return e.getMessage();
    }
  }

  public static AdmissionRulesSet fact(SetAdmissionRules command, long nowMs) {
    return new AdmissionRulesSet(nowMs, command.getMeta().getPrincipal(), command.getRules());
  }

  /** Why a campaign is refused; empty when it is taken. */
  public Optional<String> refusal(SubmitCampaign command) {
    AdmissionRules rules = (AdmissionRules) table.get(CampaignKeys.ADMISSION);
    if (rules == null || rules.getRules().isEmpty()) {
      return Optional.empty();
    }
    if (command.getGroups() == null) {
      return Optional.of("admission rules were set just now; submit it again");
    }
    RuleVariables variables;
    try {
      variables = RuleVariables.of(command);
    } catch (IOException e) {
      return Optional.of("admission rules cannot read its description");
    }
    RuleProgram.Budget budget = new RuleProgram.Budget(STEPS_MAX);
    for (int cluster = 0; cluster < command.getClusters().size(); cluster++) {
      Map<String, Object> known = variables.of(cluster);
      for (int i = 0; i < rules.getRules().size(); i++) {
        String why = refusal(rules.getRules().get(i), i + 1, known, budget);
        if (!why.isEmpty()) {
          return Optional.of(command.getClusters().get(cluster).getName() + ": " + why);
        }
      }
    }
    return Optional.empty();
  }

  private String refusal(
      AdmissionRule rule, int number, Map<String, Object> known, RuleProgram.Budget budget) {
    String name = "admission rule " + number;
    try {
      return program(rule.getExpression()).holds(known, budget)
          ? ""
          : rule.getMessage() + " (" + name + ")";
    } catch (WrongRule e) {
      return name + " cannot be decided: " + e.getMessage();
    }
  }

  private RuleProgram program(String expression) throws WrongRule {
    RuleProgram program = programs.get(expression);
    if (program == null) {
      if (programs.size() >= RULES_MAX) {
        programs.clear();
      }
      program = RuleProgram.of(expression);
      programs.put(expression, program);
    }
    return program;
  }
}
