"use strict";
// Preloaded into the Node that jsii starts. The index file of a provider package requires each of
// its 2,200 files, which takes seconds; here every such line becomes a getter that requires its
// file when it is first read. A file of any other shape matches nothing and loads as ever.
// KARPENTER_EAGER_IMPORTS=1 leaves this file out.
const Module = require("module");

const INDEX_FILE = /[\\/]@(?:cdktf|cdktn)[\\/]provider-[\w-]+[\\/](?:.*[\\/])?lib[\\/]index\.js$/;
const EAGER_EXPORT =
  /^exports\.(\w+) = (?:__importStar\()?require\((["'])(\.\/[^"']+)\2\)\)?;$/gm;

const compile = Module.prototype._compile;

function lazyExport(_line, name, _quote, file) {
  const key = JSON.stringify(name);
  return (
    `Object.defineProperty(exports, ${key}, { enumerable: true, configurable: true, get() { ` +
    `const value = require(${JSON.stringify(file)}); ` +
    `Object.defineProperty(exports, ${key}, { enumerable: true, value }); return value; } });`
  );
}

Module.prototype._compile = function (content, filename, ...rest) {
  const source = INDEX_FILE.test(filename) ? content.replace(EAGER_EXPORT, lazyExport) : content;
  return compile.call(this, source, filename, ...rest);
};
