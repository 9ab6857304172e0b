package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.campaigns.jdl.JdlRefused.Fault;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.route.RouteRequest;
import java.util.List;
import java.util.Map;

/** A request that is not carried out; in CiGri's form, beside the door's own. */
final class CigriRefusal extends Exception {
  private static final long serialVersionUID = 1L;

  private static final Map<Integer, String> TITLES =
      Map.of(400, "Error", 403, "Forbidden", 404, "Not found", 503, "Unavailable");

  /** By it CiGri's gridsub chooses its words. */
  private static final String ADMISSION = "Admission rule error";

  private final int status;
  private final String title;
  private final int code;
  private final transient List<Fault> faults;

  private CigriRefusal(int status, int code, String message, List<Fault> faults) {
    this(status, TITLES.get(status), code, message, faults);
  }

  private CigriRefusal(int status, String title, int code, String message, List<Fault> faults) {
    super(message);
    this.title = title;
    this.status = status;
    this.code = code;
    this.faults = faults;
  }

  static CigriRefusal wrong(String message) {
    return new CigriRefusal(400, PbsError.INVALID_REQUEST.code(), message, List.of());
  }

  /**
   * What is wrong in a body.
   *
   * @param path a JSON Pointer
   */
  static CigriRefusal at(String path, String reason) {
    return of(JdlRefused.at(path, reason));
  }

  static CigriRefusal notFound(String message) {
    return new CigriRefusal(404, PbsError.UNKNOWN_JOB.code(), message, List.of());
  }

  static CigriRefusal forbidden(String message) {
    return new CigriRefusal(403, PbsError.UNAUTHORIZED.code(), message, List.of());
  }

  /** Of a description, with each fault. */
  static CigriRefusal of(JdlRefused refused) {
    List<Fault> faults = refused.faults();
    String all = String.join("; ", faults.stream().map(Fault::toString).toList());
    return new CigriRefusal(400, PbsError.INVALID_REQUEST.code(), all, faults);
  }

  /**
   * What a command of the command line would have said.
   *
   * @param name of the command, which is no part of the message
   */
  static CigriRefusal of(Failure failure, String name) {
    String message = failure.text().replace(name + ": ", "").strip();
    return failure.status() == DoorCall.UNREACHABLE
        ? new CigriRefusal(503, PbsError.NO_SERVER.code(), message, List.of())
        : wrong(message);
  }

  /** What it answered to a new campaign, which nobody but an admission rule forbids. */
  static void checkSubmission(Reply reply) throws CigriRefusal {
    if (reply.getCode() == PbsError.UNAUTHORIZED.code()) {
      String message = String.join(" ", reply.getLines());
      throw new CigriRefusal(400, ADMISSION, reply.getCode(), message, List.of());
    }
    check(reply);
  }

  /** What the campaign server answered. */
  static void check(Reply reply) throws CigriRefusal {
    String message = String.join(" ", reply.getLines());
    int code = reply.getCode();
    if (code == PbsError.UNKNOWN_JOB.code()) {
      throw notFound(message);
    }
    if (code == PbsError.UNAUTHORIZED.code()) {
      throw forbidden(message);
    }
    if (code != 0) {
      throw new CigriRefusal(400, code, message, List.of());
    }
  }

  HttpAnswer answer(RouteRequest asked) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("status", status);
    body.put("title", title);
    body.put("message", getMessage());
    body.putObject("error").put("code", code).put("message", getMessage());
    if (!faults.isEmpty()) {
      ArrayNode all = body.putArray("faults");
      for (Fault fault : faults) {
        all.addObject().put("path", fault.path()).put("reason", fault.reason());
      }
    }
    return CigriJson.answer(status, asked, body);
  }
}
