// Labels from similarities, as in SEM-F1: present (P) from the upper threshold on, partly present
// (PP) from the lower one, else absent (A).

const REWARD = { P: 1, PP: 0.5, A: 0 };

function labelOf(similarity, lower, upper) {
  if (similarity >= upper) return "P";
  return similarity >= lower ? "PP" : "A";
}

// Return a SEM-F1 result with other thresholds, in percent: only the labels, their scores and the
// signature change.
export function relabelled(result, lower, upper) {
  const label = ({ match, similarity }) => {
    // The other side is empty.
    return match === null ? "A" : labelOf(similarity, lower / 100, upper / 100);
  };
  const renew = (match) => ({ ...match, label: label(match) });
  const sentences = result.sentences.map(renew);
  const references = result.references.map((matches) => matches.map(renew));
  return {
    ...result,
    labelled: scores(sentences, references),
    sentences,
    references,
    signature: result.signature.replace(/\|labels:[^|]*/, `|labels:${lower}-${upper}`),
  };
}

// Precision over the summary's sentences; recall is the mean over the references with sentences.
function scores(sentences, references) {
  const filled = references.filter((matches) => matches.length);
  if (!sentences.length || !filled.length) {
    const value = !sentences.length && !filled.length ? 1 : 0;
    return { precision: value, recall: value, f1: value };
  }
  const precision = mean(sentences.map((match) => REWARD[match.label]));
  const recall = mean(filled.map((matches) => mean(matches.map((match) => REWARD[match.label]))));
  const both = precision > 0 && recall > 0;
  return { precision, recall, f1: both ? (2 * precision * recall) / (precision + recall) : 0 };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
