"""Slow references, written from the published definitions with dictionaries and loops.

Annotations are rows of (item, annotator, label). Nothing here knows how assent arranges its sums.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

Row = tuple[str, str, str]
Distribution = dict[str, float]

FLOOR = 1e-10


def names(rows: Sequence[Row], place: int) -> list[str]:
    return sorted({row[place] for row in rows})


def vote_shares(rows: Sequence[Row]) -> dict[str, Distribution]:
    labels = names(rows, 2)
    shares = {}
    for item in names(rows, 0):
        given = [label for one, _, label in rows if one == item]
        shares[item] = {label: given.count(label) / len(given) for label in labels}
    return shares


def normalised(logs: Mapping[str, float]) -> tuple[Distribution, float]:
    top = max(logs.values())
    total = sum(math.exp(value - top) for value in logs.values())
    return {key: math.exp(value - top) / total for key, value in logs.items()}, top + math.log(total)


def dawid_skene(
    rows: Sequence[Row], iterations: int
) -> tuple[dict[str, Distribution], list[float], dict[tuple[str, str, str], float]]:
    """EM from the shares of the votes; counts of labels that an annotator uses are not below 1e-10."""
    labels, items = names(rows, 2), names(rows, 0)
    posterior, trace = vote_shares(rows), list[float]()
    error: dict[tuple[str, str, str], float] = {}
    for _ in range(iterations):
        prior = {c: max(sum(posterior[i][c] for i in items) / len(items), FLOOR) for c in labels}
        error = {}
        for annotator in names(rows, 1):
            mine = [(item, label) for item, who, label in rows if who == annotator]
            for true in labels:
                counts = {
                    label: max(sum(posterior[item][true] for item, given in mine if given == label), FLOOR)
                    for label in {given for _, given in mine}
                }
                for label, count in counts.items():
                    error[annotator, label, true] = count / sum(counts.values())
        likelihood = 0.0
        for item in items:
            logs = {}
            for true in labels:
                logs[true] = math.log(prior[true])
                logs[true] += sum(math.log(error[who, given, true]) for one, who, given in rows if one == item)
            posterior[item], value = normalised(logs)
            likelihood += value
        trace.append(likelihood)
    return posterior, trace, error


def one_coin(rows: Sequence[Row], iterations: int) -> tuple[dict[str, Distribution], list[float], Distribution]:
    """The same with one accuracy per annotator; an error is any other label with the same probability."""
    labels, items = names(rows, 2), names(rows, 0)
    posterior, trace = vote_shares(rows), list[float]()
    right: Distribution = {}
    for _ in range(iterations):
        prior = {c: max(sum(posterior[i][c] for i in items) / len(items), FLOOR) for c in labels}
        right = {}
        for annotator in names(rows, 1):
            mine = [posterior[item][label] for item, who, label in rows if who == annotator]
            right[annotator] = sum(mine) / len(mine)
        likelihood = 0.0
        for item in items:
            logs = {}
            for true in labels:
                logs[true] = math.log(prior[true])
                for one, who, given in rows:
                    if one == item:
                        wrong = (1 - right[who]) / max(1, len(labels) - 1)
                        chance = right[who] if given == true else wrong
                        logs[true] += math.log(min(max(chance, FLOOR), 1 - FLOOR))
            posterior[item], value = normalised(logs)
            likelihood += value
        trace.append(likelihood)
    return posterior, trace, right


def mace_likelihood(
    rows: Sequence[Row], knows: Mapping[str, float], spam: Mapping[tuple[str, str], float]
) -> tuple[dict[str, Distribution], float]:
    """Probabilities of the true labels and log-likelihood, summed over who knew and who spammed, one by one."""
    labels = names(rows, 2)
    posterior, likelihood = {}, 0.0
    for item in names(rows, 0):
        given = [(who, label) for one, who, label in rows if one == item]
        joint = dict.fromkeys(labels, 0.0)
        for true in labels:
            for knowing in itertools.product((True, False), repeat=len(given)):
                chance = 1 / len(labels)
                for (who, label), knew in zip(given, knowing, strict=True):
                    chance *= knows[who] * (label == true) if knew else (1 - knows[who]) * spam[who, label]
                joint[true] += chance
        total = sum(joint.values())
        posterior[item] = {label: value / total for label, value in joint.items()}
        likelihood += math.log(total)
    return posterior, likelihood


def mace_step(
    rows: Sequence[Row], knows: Mapping[str, float], spam: Mapping[tuple[str, str], float], smoothing: float = 0.0
) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
    """One round of EM, with the expected counts summed over who knew and who spammed, one by one."""
    labels, annotators = names(rows, 2), names(rows, 1)
    knew_counts = dict.fromkeys(annotators, 0.0)
    spam_counts = dict.fromkeys(itertools.product(annotators, labels), 0.0)
    for item in names(rows, 0):
        given = [(who, label) for one, who, label in rows if one == item]
        ways = []
        for true in labels:
            for knowing in itertools.product((True, False), repeat=len(given)):
                chance = 1.0
                for (who, label), knew in zip(given, knowing, strict=True):
                    chance *= knows[who] * (label == true) if knew else (1 - knows[who]) * spam[who, label]
                ways.append((chance, knowing))
        total = sum(chance for chance, _ in ways)
        for chance, knowing in ways:
            for (who, label), knew in zip(given, knowing, strict=True):
                if knew:
                    knew_counts[who] += chance / total
                else:
                    spam_counts[who, label] += chance / total
    new_knows, new_spam = {}, {}
    for who in annotators:
        known = max(knew_counts[who] + smoothing, FLOOR)
        spammed = max(sum(spam_counts[who, label] for label in labels) + smoothing, FLOOR)
        new_knows[who] = known / (known + spammed)
        used = {label for _, one, label in rows if one == who}
        counts = {label: max(spam_counts[who, label] + smoothing, FLOOR if label in used else 0.0) for label in labels}
        for label in labels:
            new_spam[who, label] = counts[label] / sum(counts.values())
    return new_knows, new_spam


def variational_mace(
    rows: Sequence[Row], iterations: int
) -> tuple[dict[str, Distribution], list[float], dict[str, float]]:
    """Variational Bayes with the published priors, Beta(1/2, 1/2) and Dirichlet(10, ..., 10), from the shares of the votes.

    The bound is put together as the expected log density of everything plus the entropies of what is estimated.
    """
    from scipy.special import digamma
    from scipy.stats import beta, dirichlet

    labels, annotators, shares = names(rows, 2), names(rows, 1), vote_shares(rows)
    log_knows: dict[str, float] = {}
    log_spams: dict[str, float] = {}
    log_label: dict[tuple[str, str], float] = {}
    for who in annotators:
        mine = [shares[item][label] for item, one, label in rows if one == who]
        knows = min(max(sum(mine) / len(mine), 0.05), 0.95)
        log_knows[who], log_spams[who] = math.log(knows), math.log(1 - knows)
        log_label |= {(who, label): -math.log(len(labels)) for label in labels}

    def ways() -> dict[str, list[tuple[float, str, list[tuple[str, str, bool]]]]]:
        """Per item every true label and every guess at who knew, with its probability."""
        found = {}
        for item in names(rows, 0):
            given = [(who, label) for one, who, label in rows if one == item]
            logs = []
            for true in labels:
                for knowing in itertools.product((True, False), repeat=len(given)):
                    story = [(who, label, knew) for (who, label), knew in zip(given, knowing, strict=True)]
                    if all(label == true for _, label, knew in story if knew):
                        log = sum(log_knows[w] if k else log_spams[w] + log_label[w, c] for w, c, k in story)
                        logs.append((log - math.log(len(labels)), true, story))
            total = sum(math.exp(log) for log, _, _ in logs)
            found[item] = [(math.exp(log) / total, true, story) for log, true, story in logs]
        return found

    stories, bounds, knows_mean = ways(), [], {}
    for _ in range(iterations):
        knew = dict.fromkeys(annotators, 0.5)
        spammed = dict.fromkeys(annotators, 0.5)
        spam = dict.fromkeys(itertools.product(annotators, labels), 10.0)
        for told in stories.values():
            for chance, _, story in told:
                for who, label, known in story:
                    if known:
                        knew[who] += chance
                    else:
                        spammed[who] += chance
                        spam[who, label] += chance
        bound = 0.0
        for who in annotators:
            both, habits = knew[who] + spammed[who], [spam[who, label] for label in labels]
            log_knows[who] = float(digamma(knew[who]) - digamma(both))
            log_spams[who] = float(digamma(spammed[who]) - digamma(both))
            log_label |= {(who, c): float(digamma(spam[who, c]) - digamma(sum(habits))) for c in labels}
            knows_mean[who] = knew[who] / both
            # Expected log density of the priors, and entropy of what is estimated.
            bound += math.lgamma(1.0) - 2 * math.lgamma(0.5) - 0.5 * (log_knows[who] + log_spams[who])
            bound += math.lgamma(10.0 * len(labels)) - len(labels) * math.lgamma(10.0)
            bound += 9.0 * sum(log_label[who, c] for c in labels)
            bound += float(beta(knew[who], spammed[who]).entropy()) + float(dirichlet(habits).entropy())
        stories = ways()
        for told in stories.values():
            for chance, _, story in told:
                density = sum(log_knows[w] if k else log_spams[w] + log_label[w, c] for w, c, k in story)
                bound += chance * (density - math.log(len(labels)) - math.log(chance))
        bounds.append(bound)
    posterior = {
        item: {label: sum(chance for chance, true, _ in told if true == label) for label in labels}
        for item, told in stories.items()
    }
    return posterior, bounds, knows_mean


def sharpening(
    annotations: Sequence[tuple[str, str, Mapping[str, float]]], labels: Sequence[str], iterations: int
) -> tuple[dict[str, float], dict[str, float], dict[str, Distribution]]:
    """Weights of annotators and items, each from the other; an annotation is shared out among its labels."""
    annotators = sorted({who for _, who, _ in annotations})
    items = sorted({item for item, _, _ in annotations})
    weight = dict.fromkeys(annotators, 1.0)
    sharpness: dict[str, float] = {}
    group: dict[str, Distribution] = {}
    for _ in range(iterations):
        group = {item: weighted_labels(annotations, item, weight, labels) for item in items}
        sharpness = {}
        for item in items:
            entropy = -sum(p * math.log(p) for p in group[item].values() if p > 0)
            sharpness[item] = 1 - entropy / math.log(len(labels)) if len(labels) > 1 else 1.0
        kappas = {}
        for annotator in annotators:
            mine = {item: shares for item, who, shares in annotations if who == annotator}
            shared = [item for item in mine if any(one == item and who != annotator for one, who, _ in annotations)]
            usable = []
            for item in shared:
                others = {who: value for who, value in weight.items() if who != annotator}
                if sum(others[who] for one, who, _ in annotations if one == item and who != annotator) > 1e-12:
                    usable.append((item, weighted_labels(annotations, item, others, labels)))
            mass = sum(sharpness[item] for item, _ in usable)
            if len(shared) < 2 or mass <= 1e-12:
                continue
            mean = lambda value: sum(sharpness[i] * value(i, g) for i, g in usable) / mass  # noqa: B023, E731
            observed = mean(lambda i, g: sum(mine[i].get(c, 0.0) * g[c] for c in labels))  # noqa: B023
            expected = sum(
                mean(lambda i, g: mine[i].get(c, 0.0)) * mean(lambda i, g: g[c])  # noqa: B023
                for c in labels
            )
            if 1 - expected > 1e-12:
                kappas[annotator] = (observed - expected) / (1 - expected)
        if not any(weight.values()):
            break
        judged = {who: value if value > 1e-12 else 0.0 for who, value in kappas.items()}
        mean_weight = sum(judged.values()) / len(judged) if judged else 1.0
        weight = {who: judged.get(who, mean_weight) for who in annotators}
    group = {item: weighted_labels(annotations, item, weight, labels) for item in items}
    return weight, sharpness, group


def weighted_labels(
    annotations: Sequence[tuple[str, str, Mapping[str, float]]],
    item: str,
    weight: Mapping[str, float],
    labels: Sequence[str],
) -> Distribution:
    """Mean of the annotations of an item, by those annotators that have a weight here."""
    mine = [(weight[who], shares) for one, who, shares in annotations if one == item and who in weight]
    total = sum(value for value, _ in mine)
    if total <= 1e-12:
        return dict.fromkeys(labels, 0.0)
    return {label: sum(value * shares.get(label, 0.0) for value, shares in mine) / total for label in labels}


def crowdtruth(
    rows: Sequence[Row], iterations: int
) -> tuple[dict[str, float], dict[str, float], dict[str, float], dict[str, Distribution]]:
    """Quality of units, workers and annotations of a closed task: vectors, weighted cosines, pairs of workers."""
    labels, workers, units = names(rows, 2), names(rows, 1), names(rows, 0)
    vector = {(unit, who): {c: float(c == label) for c in labels} for unit, who, label in rows}
    on = {unit: [who for one, who, _ in rows if one == unit] for unit in units}
    of = {who: [unit for unit, one, _ in rows if one == who] for who in workers}
    unit_quality = dict.fromkeys(units, 1.0)
    worker_quality = dict.fromkeys(workers, 1.0)
    label_quality = dict.fromkeys(labels, 1.0)

    def cosine(one: Distribution, other: Distribution) -> float:
        def product(x: Distribution, y: Distribution) -> float:
            return sum(label_quality[c] * x[c] * y[c] for c in labels)

        length = math.sqrt(product(one, one) * product(other, other))
        return product(one, other) / length if length > 1e-8 else 0.0

    def mean(pairs: Sequence[tuple[float, float]]) -> float:
        total = sum(weight for _, weight in pairs)
        return sum(value * weight for value, weight in pairs) / max(total, 1e-8)

    for _ in range(iterations):
        new_units, new_workers, new_labels = {}, {}, {}
        for unit in units:
            pairs = []
            for i, j in itertools.combinations(on[unit], 2):
                same = float(vector[unit, i] == vector[unit, j])
                pairs.append((same, worker_quality[i] * worker_quality[j]))
            new_units[unit] = mean(pairs) if pairs else 0.0
        for i in workers:
            one_by_one, together = [], []
            for unit in of[i]:
                others = [j for j in on[unit] if j != i]
                for j in others:
                    same = float(vector[unit, i] == vector[unit, j])
                    one_by_one.append((same, worker_quality[j] * unit_quality[unit]))
                rest = {c: sum(worker_quality[j] * vector[unit, j][c] for j in others) for c in labels}
                mine = {c: worker_quality[i] * vector[unit, i][c] for c in labels}
                together.append((cosine(mine, rest), unit_quality[unit]))
            new_workers[i] = mean(one_by_one) * mean(together)
        for c in labels:
            pairs = []
            for i, j in itertools.permutations(workers, 2):
                shared = [unit for unit in of[j] if unit in of[i]]
                given = sum(unit_quality[unit] * vector[unit, j][c] for unit in shared)
                both = sum(unit_quality[unit] * vector[unit, j][c] * vector[unit, i][c] for unit in shared)
                if given > 0:
                    pairs.append((both / given, worker_quality[i] * worker_quality[j]))
            heavy = sum(weight for _, weight in pairs) > 1e-8
            new_labels[c] = max(mean(pairs), 1e-8) if heavy else 1e-8
        unit_quality, worker_quality, label_quality = new_units, new_workers, new_labels
    shares = {}
    for unit in units:
        total = sum(worker_quality[who] for who in on[unit])
        votes = {c: sum(worker_quality[who] * vector[unit, who][c] for who in on[unit]) for c in labels}
        shares[unit] = {c: value / total if total > 1e-8 else 0.0 for c, value in votes.items()}
    return unit_quality, worker_quality, label_quality, shares


def accuracy_and_f1(gold: Mapping[str, str], given: Mapping[str, str | None]) -> tuple[float, float]:
    """Accuracy with undecided items wrong, and the mean F1 over labels that occur in either."""
    shared = [item for item in gold if item in given]
    labels = {gold[item] for item in shared} | {given[item] for item in shared} - {None}
    scores = []
    for label in labels:
        true = {item for item in shared if gold[item] == label}
        said = {item for item in shared if given[item] == label}
        precision = len(true & said) / len(said) if said else 0.0
        recall = len(true & said) / len(true) if true else 0.0
        both = precision + recall
        scores.append(2 * precision * recall / both if both else 0.0)
    return sum(gold[item] == given[item] for item in shared) / len(shared), sum(scores) / len(scores)
