{{/* What the pods of a part have in common. Called with dict "root" $ "part" NAME "principals" (list ...). */}}

{{- define "millrace.name" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* What goes together: settings that nothing would look at are refused. */}}
{{- define "millrace.checks" -}}
{{- if and .Values.kafka.authoritySecret (not .Values.kafka.accounts) }}
{{- fail "kafka.authoritySecret goes with kafka.accounts: accounts of the join file have an authority of their own" }}
{{- end }}
{{- if and (hasKey .Values.kafka.accounts "engine") (not .Values.engine.schedulers) }}
{{- fail "kafka.accounts.engine goes with engine.schedulers: engines within servers have the server's account" }}
{{- end }}
{{- end }}

{{- define "millrace.labels" -}}
app.kubernetes.io/name: millrace
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "millrace.image" -}}
{{ .root.Values.image.registry }}millrace/{{ .image }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The options of ./millrace part; those of the part itself follow behind "--". */}}
{{- define "millrace.arguments" -}}
{{- $values := .root.Values -}}
- --join
- /etc/millrace/join/millrace.join
- --name
- $(POD_NAME)
{{- if $values.kafka.bootstrapServers }}
- --bootstrap-servers
- {{ $values.kafka.bootstrapServers | quote }}
{{- end }}
{{- $accounts := list }}
{{- range .principals }}
{{- if hasKey $values.kafka.accounts . }}
{{- $accounts = append $accounts (printf "%s=/etc/millrace/accounts/%s" . .) }}
{{- end }}
{{- end }}
{{- if $accounts }}
- --accounts
- {{ join "," $accounts | quote }}
{{- if $values.kafka.authoritySecret }}
- --authority
- /etc/millrace/authority/ca.crt
{{- end }}
{{- end }}
- "--"
- --health
- 0.0.0.0:9400
{{- end }}

{{- define "millrace.pod" -}}
serviceAccountName: {{ include "millrace.name" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: 60
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "millrace.labels" . | nindent 14 }}
{{- end }}

{{- define "millrace.container" -}}
name: {{ .part }}
image: {{ include "millrace.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop:
      - ALL
env:
  - name: POD_NAME
    valueFrom:
      fieldRef:
        fieldPath: metadata.name
  - name: POD_IP
    valueFrom:
      fieldRef:
        fieldPath: status.podIP
  {{- with .settings.javaOptions }}
  - name: JDK_JAVA_OPTIONS
    value: {{ . | quote }}
  {{- end }}
startupProbe:
  httpGet:
    path: /live
    port: health
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /live
    port: health
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /ready
    port: health
  periodSeconds: 5
  timeoutSeconds: 5
{{- with .settings.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - name: home
    mountPath: /var/lib/millrace
  - name: join
    mountPath: /etc/millrace/join
    readOnly: true
  {{- $values := .root.Values }}
  {{- $accounts := false }}
  {{- range .principals }}
  {{- if hasKey $values.kafka.accounts . }}
  {{- $accounts = true }}
  - name: account-{{ . }}
    mountPath: /etc/millrace/accounts/{{ . }}
    readOnly: true
  {{- end }}
  {{- end }}
  {{- if and $accounts $values.kafka.authoritySecret }}
  - name: authority
    mountPath: /etc/millrace/authority
    readOnly: true
  {{- end }}
{{- end }}

{{/* Secrets are for the group of the pod alone (0440). */}}
{{- define "millrace.volumes" -}}
{{- $values := .root.Values -}}
- name: join
  secret:
    secretName: {{ required "join.secret: a secret with millrace.join of ./millrace cluster init" $values.join.secret }}
    defaultMode: 288
    items:
      - key: millrace.join
        path: millrace.join
{{- $accounts := false }}
{{- range .principals }}
{{- if hasKey $values.kafka.accounts . }}
{{- $accounts = true }}
- name: account-{{ . }}
  secret:
    secretName: {{ get $values.kafka.accounts . }}
    defaultMode: 288
{{- end }}
{{- end }}
{{- if and $accounts $values.kafka.authoritySecret }}
- name: authority
  secret:
    secretName: {{ $values.kafka.authoritySecret }}
    defaultMode: 288
    items:
      - key: ca.crt
        path: ca.crt
{{- end }}
{{- end }}

{{- define "millrace.claim" -}}
- metadata:
    name: home
  spec:
    accessModes:
      - ReadWriteOnce
    {{- with .storageClass }}
    storageClassName: {{ . }}
    {{- end }}
    resources:
      requests:
        storage: {{ .storage }}
{{- end }}
