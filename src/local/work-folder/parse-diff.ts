import type {ChangeKind} from '../../domain/sessions/work-folder.ts';

/** A tracked file that differs from the last commit. Line counts are absent for a binary file. */
export type TrackedChange = {
	readonly path: string;
	readonly from?: string;
	readonly kind: ChangeKind;
	readonly added?: number;
	readonly removed?: number;
	/** The letter that git gives the change. */
	readonly letter: string;
};

const kinds: Readonly<Record<string, ChangeKind>> = {A: 'added', D: 'deleted', R: 'renamed', U: 'conflict'};

/** Parses `git diff --raw --numstat -z`. */
export function changesOfDiff(output: string): TrackedChange[] {
	const fields = output.split('\0');
	const changes: TrackedChange[] = [];
	let at = 0;
	const next = () => fields[at++] ?? '';
	while (fields[at]?.startsWith(':')) {
		const letter = /([A-Z])\d*$/.exec(next())?.[1] ?? 'M';
		const first = next();
		const isMoved = letter === 'R' || letter === 'C';
		const path = isMoved ? next() : first;
		changes.push({path, letter, kind: kinds[letter] ?? 'modified', from: isMoved ? first : undefined});
	}
	const counts = new Map<string, Pick<TrackedChange, 'added' | 'removed'>>();
	const counted = new Set<string>();
	while (at < fields.length) {
		// A path may hold tabs, too.
		const count = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(next());
		if (!count) continue;
		const [, added, removed, name = ''] = count;
		if (name === '') next();
		const path = name === '' ? next() : name;
		counted.add(path);
		if (added !== '-') counts.set(path, {added: Number(added), removed: Number(removed)});
	}
	// Git lists a file that was written again as it was, but neither counts nor shows its lines.
	return changes
		.filter(({letter, path}) => letter !== 'M' || counted.has(path))
		.map(change => ({...change, ...counts.get(change.path)}));
}

/** A file's part of a patch: its lines from the first hunk on, and what git says above them. */
export type PatchSection = {readonly name: string; readonly head: string; readonly hunks: string};

/** Splits a patch at its files. Names are quoted in it, so that no name can look like a new file. */
export function sectionsOfPatch(patch: string): PatchSection[] {
	if (!patch.startsWith('diff --git ')) return [];
	return patch.split(/\n(?=diff --git )/).map(section => {
		const nameEnd = section.indexOf('\n');
		const hunk = section.indexOf('\n@@ ');
		const end = section.endsWith('\n') ? section.length - 1 : section.length;
		return {
			name: nameEnd < 0 ? section : section.slice(0, nameEnd),
			head: nameEnd < 0 ? '' : section.slice(nameEnd + 1, hunk < 0 ? end : hunk),
			hunks: hunk < 0 ? '' : section.slice(hunk + 1, end),
		};
	});
}

export type FolderStatus = {
	/** Absent if HEAD is detached. */
	readonly branch?: string;
	/** Absent before the first commit. */
	readonly head?: string;
	readonly untracked: readonly string[];
	readonly conflicts: ReadonlySet<string>;
	/** Paths that differ between last commit, index and work tree: those to stage, untracked ones too. */
	readonly present: readonly string[];
	readonly deleted: readonly string[];
	/**
	 * What is staged, as it is in the last commit, by path, as `git update-index --index-info` takes it; `0` removes an
	 * entry.
	 */
	readonly committed: ReadonlyMap<string, string>;
};

/** Parses `git status --porcelain=v2 -z --branch --no-renames`. */
export function parseStatus(output: string): FolderStatus {
	const fields = output.split('\0');
	const lineOf = (name: string) =>
		fields.find(field => field.startsWith(`# ${name} `))?.slice(name.length + 3);
	const [branch, head] = [lineOf('branch.head'), lineOf('branch.oid')];
	const untracked = fields.filter(field => field.startsWith('? ')).map(field => field.slice(2));
	// Eight fields before the path; the second is the state of the index and of the work tree.
	const changed = fields.filter(field => field.startsWith('1 ')).map(field => field.split(' '));
	const pathsOf = (state: RegExp) =>
		changed.filter(([, xy = '']) => state.test(xy)).map(entry => entry.slice(8).join(' '));
	return {
		branch: branch === '(detached)' ? undefined : branch,
		head: head === '(initial)' ? undefined : head,
		untracked,
		present: [...pathsOf(/^[^D][^D]$/), ...untracked.map(path => path.replace(/\/$/, ''))],
		deleted: pathsOf(/^D|D$/),
		committed: new Map(
			changed
				.filter(([, xy = '']) => !xy.startsWith('.'))
				.map(entry => {
					const path = entry.slice(8).join(' ');
					return [path, `${entry[3] === '000000' ? '0' : entry[3]} ${entry[6]}\t${path}`];
				}),
		),
		// Ten fields before the path.
		conflicts: new Set(
			fields.filter(field => field.startsWith('u ')).map(field => field.split(' ').slice(10).join(' ')),
		),
	};
}
