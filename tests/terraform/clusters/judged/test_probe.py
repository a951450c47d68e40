import json, time
from tests.terraform.clusters.judged.applied import *
import pytest
@pytest.mark.parametrize("v",["1.0.14","1.14.2","1.15.1"])
def test_x(applied,v):
    t=time.time(); a=applied(at_release(EXAMPLES[0],v)); print(v,time.time()-t); print(json.dumps(a.documents,indent=1) if v=="1.15.1" else a.controller)
@pytest.mark.parametrize("v",["1.0.14","1.14.2","1.15.1"])
def test_y(applied,v):
    t=time.time(); a=applied(at_release(EXAMPLES[1],v)); print(v,time.time()-t); print(json.dumps(a.objects,indent=1) if v=="1.15.1" else a.controller)
