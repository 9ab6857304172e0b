<#list dependencyMap as entry>
<#assign work = entry.getKey()/>
${work.groupId}	${work.artifactId}	${work.version}<#list entry.getValue() as licence>	${licence}</#list>
</#list>
