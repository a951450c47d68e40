"""What every part stands on: settings, rules, faults, names, versions. No CDKTF here."""
