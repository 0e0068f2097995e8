#include "config.h"

#include "sandbox/property.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const names[] = {
    "ServerName",    "MachineName",    "ComputerNamePhysicalNetBIOS", "InstanceName", "Edition",
    "EngineEdition", "ProductVersion", "ProductMajorVersion",         "ProductLevel", "IsClustered",
    "IsHadrEnabled", "IsXTPSupported", "IsIntegratedSecurityOnly",    "Collation",    "ProcessID",
    "RamkneeScale",
};

const char *property_name(int i) {
  return i >= 0 && (size_t)i < sizeof names / sizeof *names ? names[i] : NULL;
}

static const char *text_value(const struct server *v, const char *name, char *buf, size_t size) {
  if (strcasecmp(name, "ServerName") == 0)
    return server_name(v);
  if (strcasecmp(name, "MachineName") == 0 || strcasecmp(name, "ComputerNamePhysicalNetBIOS") == 0) {
    snprintf(buf, size, "%.*s", (int)strcspn(server_name(v), "\\"), server_name(v));
    return buf;
  }
  if (strcasecmp(name, "InstanceName") == 0)
    return v->persona->instance;
  if (strcasecmp(name, "Edition") == 0)
    return v->persona->edition ? v->persona->edition : "Sandbox Edition (ramknee)";
  if (strcasecmp(name, "ProductVersion") == 0)
    return v->version;
  if (strcasecmp(name, "ProductLevel") == 0)
    return "RTM";
  return strcasecmp(name, "Collation") == 0 ? "SQL_Latin1_General_CP1_CI_AS" : NULL;
}

const char *property_value(const struct server *v, const char *name, int *number, char *buf, size_t size) {
  *number = 1;
  if (strcasecmp(name, "EngineEdition") == 0)
    snprintf(buf, size, "%d", v->persona->engine_edition ? v->persona->engine_edition : 3);
  else if (strcasecmp(name, "ProductMajorVersion") == 0)
    snprintf(buf, size, "%.*s", (int)strcspn(v->version, "."), v->version);
  else if (strcasecmp(name, "ProcessID") == 0)
    snprintf(buf, size, "%d", (int)engine_pid(v->engine));
  else if (strcasecmp(name, "RamkneeScale") == 0)
    snprintf(buf, size, "%d", SERVER_SCALE);
  else if (strncasecmp(name, "Is", 2) == 0) {
    int i = 0;
    while (property_name(i) && strcasecmp(property_name(i), name) != 0)
      i++;
    if (!property_name(i))
      return NULL;
    snprintf(buf, size, "0");
  } else {
    *number = 0;
    return text_value(v, name, buf, size);
  }
  return buf;
}

char *property_sql(const struct server *v, const char *name, char *buf, size_t size) {
  char value[200];
  int number;
  const char *p = property_value(v, name, &number, value, sizeof value);
  const char *quote = p && !number ? "'" : "";
  snprintf(buf, size, "%s%s%s", quote, p ? p : "NULL", quote);
  return buf;
}
