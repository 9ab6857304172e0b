package io.millrace.server.gridengine.cell;

/**
 * What the commands say about themselves: the options that are obeyed. The first line is the one by
 * which scripts recognise whose commands they are.
 */
public final class UsageTexts {

  public static final String QSUB =
      """
      SGE 8.1.9
      usage: qsub [options] [script | -b y command] [arguments]
         [-a date_time]                           request a start time
         [-A account_string]                      account string in accounting record
         [-ar ar_id]                              bind job to advance reservation
         [-b y[es]|n[o]]                          handle command as binary
         [-@ file]                                read options from a file
         [-cwd]                                   use current working directory
         [-e path_list]                           specify standard error stream path(s)
         [-h]                                     place user hold on job
         [-hard]                                  consider following requests "hard"
         [-help]                                  print this help
         [-hold_jid job_identifier_list]          define jobnet interdependencies
         [-j y[es]|n[o]]                          merge stdout and stderr stream of job
         [-l resource_list]                       request the given resources
         [-N name]                                specify job name
         [-now y[es]|n[o]]                        start job immediately or not at all
         [-o path_list]                           specify standard output stream path(s)
         [-p priority]                            define job's relative priority
         [-P project_name]                        set job's project
         [-pe pe-name slot_range]                 request slot range for parallel jobs
         [-q wc_queue_list]                       bind job to queue(s)
         [-R y[es]|n[o]]                          reservation desired
         [-r y[es]|n[o]]                          define job as (not) restartable
         [-soft]                                  consider following requests as soft
         [-sync y[es]|n[o]]                       wait for job to end and return exit code
         [-S path_list]                           command interpreter to be used
         [-t task_id_range]                       create a job-array with these tasks
         [-tc max_running_tasks]                  throttle the number of concurrent tasks
         [-terse]                                 tersed output, print only the job-id
         [-v variable_list]                       export these environment variables
         [-V]                                     export all environment variables
         [-w e|w|n|v]                             verify mode for jobs
         [-wd working_directory]                  use working_directory
      """;

  public static final String QALTER =
      """
      SGE 8.1.9
      usage: qalter [options] job_identifier_list
         [-@ file] [-cwd] [-e path] [-h hold_list] [-hold_jid job_identifier_list] [-j y|n] [-l resource_list]
         [-N name] [-o path] [-p priority] [-pe pe-name slot_range] [-q wc_queue_list] [-R y|n]
         [-S path_list] [-soft] [-hard] [-w v] [-wd working_directory]
      """;

  public static final String QDEL =
      """
      SGE 8.1.9
      usage: qdel [options] job_task_list
         [-f]                                     force action
         [-help]                                  print this help
         [-u user_list]                           delete all jobs of users specified in list
         job_task_list                            delete all jobs given in list

      job_task_list           job_tasks[,job_tasks,...]
      job_tasks               [job_id['.'task_id_range]|job_name|pattern][' -t 'task_id_range]
      task_id_range           task_id['-'task_id[':'step]]
      user_list               user[,user,...]
      """;

  public static final String QHOLD =
      "SGE 8.1.9\nusage: %s [-h {u|o|s|n},...] job_task_list [-t task_id_range]\n";

  public static final String QMOD =
      """
      SGE 8.1.9
      usage: qmod [options]
         [-c job_list]           clear error state
         [-cj job_list]          clear job error state
         [-f]                    force action
         [-help]                 print this help
         [-r job_list]           reschedule jobs
         [-rj job_list]          reschedule jobs
         [-s job_list]           suspend
         [-sj job_list]          suspend jobs
         [-us job_list]          unsuspend
         [-usj job_list]         unsuspend jobs

      job_list                   {job_tasks}[{','|' '}job_tasks[{','|' '}...]]
      job_tasks                  {{job_id'.'task_id_range}|job_name|pattern}[' -t 'task_id_range]
      task_id_range              task_id['-'task_id[':'step]]
      """;

  public static final String QSTAT =
      """
      SGE 8.1.9
      usage: qstat [options]
              [-ext]                            view additional attributes
              [-explain a|c|A|E]                show reason for queue c(onfiguration ambiguous), a(larm), suspend A(larm), E(rror) state
              [-f]                              full output
              [-F [resource_attributes]]        full output and show (selected) resources of queue(s)
              [-g c]                            display cluster queue summary
              [-g d]                            display all job-array tasks (do not group)
              [-g t]                            display all parallel job tasks (do not group)
              [-help]                           print this help
              [-j [job_identifier_list]]        show scheduler job information
              [-l resource_list]                request the given resources
              [-ne]                             hide empty queues
              [-ncb]                            suppress additional binding specific parameters
              [-pe pe_list]                     select only queues with one of these parallel environments
              [-q wc_queue_list]                print information on given queue
              [-qs {a|c|d|o|s|u|A|C|D|E|S}]     selects queues which are in the given state(s)
              [-r]                              show requested resources of job(s)
              [-s {p|r|s|z|hu|ho|hs|hd|hj|ha|h|a}] show pending, running, suspended, zombie jobs,
                                                jobs with a user/operator/system/array-dependency hold,\s
                                                jobs with a start time in future or any combination only.
                                                h is an abbreviation for huhohshdhjha
                                                a is an abbreviation for prsh
              [-t]                              show task information (implicitly -g t)
              [-u user_list]                    view jobs of this user list
              [-U user_list]                    select only queues where these users have access
              [-urg]                            display job urgency information
              [-pri]                            display job priority information
              [-xml]                            display the information in XML format

      pe_list                  pe[,pe,...]
      job_identifier_list      [job_id|job_name|pattern]{, [job_id|job_name|pattern]}
      resource_list            resource[=value][,resource[=value],...]
      user_list                user|*|@group[,user|*|@group],...]
      resource_attributes      resource,resource,...
      wc_cqueue                wildcard expression matching a cluster queue
      wc_host                  wildcard expression matching a host
      wc_hostgroup             wildcard expression matching a hostgroup
      wc_qinstance             wc_cqueue@wc_host
      wc_qdomain               wc_cqueue@wc_hostgroup
      wc_queue_list            wc_cqueue|wc_qdomain|wc_qinstance
      wc_queue_list            wc_queue[,wc_queue,...]
      """;

  public static final String QRSUB =
      """
      SGE 8.1.9
      usage: qrsub [options]
         [-a date_time]                           request a start time
         [-A account_string]                      account string in accounting record
         [-d time]                                duration of time window
         [-e date_time]                           request an end time
         [-he y[es]|n[o]]                         hard error handling
         [-help]                                  print this help
         [-l resource_list]                       request the given resources
         [-m mail_options]                        define mail notification events
         [-M mail_list]                           notify these e-mail addresses
         [-N name]                                specify job name
         [-now y[es]|n[o]]                        consider only interactive queues
         [-pe wc_pe_name slot_range]              request slot range for parallel jobs
         [-q wc_queue_list]                       reserve in these queues
         [-u user_list]                           specify a list of users
         [-w e|v]                                 reserve, or only verify

      account_string          account_name
      date_time               [[CC]YY]MMDDhhmm[.SS]
      resource_list           resource[=value][,resource[=value],...]
      slot_range              [n[-m]|[-]m] - n,m > 0
      user_list               user|@list[,user|@list,...]
      wc_queue                wc_cqueue|wc_qdomain|wc_qinstance
      wc_queue_list           wc_queue[,wc_queue,...]
      time                    hours:minutes:seconds | seconds
      """;

  public static final String QRSTAT =
      """
      SGE 8.1.9
      usage: qrstat [options]
         [-ar ar_id_list]                         view these advance reservations in full
         [-explain]                               show reason for error state
         [-help]                                  print this help
         [-u user_list]                           view advance reservations of these users
         [-xml]                                   display the information in XML format

      ar_id_list              ar_id[,ar_id,...]
      user_list               user|*[,user|*,...]
      """;

  public static final String QRDEL =
      """
      SGE 8.1.9
      usage: qrdel [options] [ar_list]
         [-f]                                     force action
         [-help]                                  print this help
         [-u user_list]                           all advance reservations of users specified in list

      ar_list                 ar_id|ar_name|pattern[,ar_id|ar_name|pattern,...]
      user_list               user[,user,...]
      """;

  public static final String QACCT =
      """
      SGE 8.1.9
      usage: qacct [options]
         [-ar [ar_id]]                            usage by advance reservations
         [-help]                                  print this help
      """;

  private UsageTexts() {}
}
