import {expect, test} from 'vitest';
import {progress} from '../../../src/domain/computers/provisioning.ts';
import {computerItems} from '../../../src/state/computers/computer-items.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {computerDetailLines} from '../../../src/ui/panes/computer-detail.ts';
import {fleet, knownComputer, noon} from '../../support/fleet.ts';

test.each([36, 40, 80])('shows the whole id in a detail of %i columns', width => {
	const id = '669b2306-75d3-4e1f-9aad-4001a00bee6c';
	const [item] = computerItems(fleet([], [knownComputer(id)]));
	if (!item) throw new Error('no computer');
	const detail = {item, progress: progress({id}, () => undefined, 0), now: noon, sessions: 0, needs: 0};
	const rows = computerDetailLines({...detail, keys: {label: () => 'r' as never}}, width).map(lineText);
	const at = rows.findIndex(row => row.startsWith('id '));
	const end = rows.findIndex(row => row.startsWith('status'));
	expect(
		rows
			.slice(at, end)
			.map(row => row.slice(10).trimEnd())
			.join(''),
	).toBe(id);
	for (const row of rows) expect(row.length).toBeLessThanOrEqual(width);
});
