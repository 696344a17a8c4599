// What ESLint looks for in the scripts of pages; names that nobody defines are found by tsc.

import js from "@eslint/js";

const MARKUP = "texts become texts, never a part of the page";

export default [
  js.configs.recommended,
  { rules: {
    "no-undef": "off",
    eqeqeq: "error", "no-eval": "error", "no-implied-eval": "error", "no-new-func": "error",
    "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
    "no-var": "error", "prefer-const": "error",
    "no-restricted-properties": ["error", ...["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc", "write"].map(
      (property) => ({ property, message: MARKUP }))],
  } },
];
