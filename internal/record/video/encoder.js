// The script of the page that encodes a video. Go calls begin once, and then add for each picture.
let canvas, context, encoder, failure
let picture // the last picture that was added; undefined: there was none yet
let chunks = [] // output of the encoder that add has not returned yet

// begin makes the encoder.
async function begin({width, height, framerate, bitrate}) {
	const config = {codec: 'vp09.00.40.08', width, height, framerate, bitrate, latencyMode: 'quality'}
	if (!globalThis.VideoEncoder) throw new Error('it has no VideoEncoder')
	if (!(await VideoEncoder.isConfigSupported(config)).supported) throw new Error('it does not encode VP9 in this size')
	canvas = new OffscreenCanvas(width, height)
	context = canvas.getContext('2d', {alpha: false})
	encoder = new VideoEncoder({output: take, error: (e) => { failure = e }})
	encoder.configure(config)
}

// take keeps an encoded picture, with its time in microseconds.
function take(chunk) {
	const bytes = new Uint8Array(chunk.byteLength)
	chunk.copyTo(bytes)
	let text = ''
	for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
	chunks.push({at: chunk.timestamp, key: chunk.type === 'key', data: btoa(text)})
}

// add encodes a JPEG, in base64, at a time in microseconds, and returns the result. Without a JPEG, it
// encodes the last picture again. It waits until the encoder is done, so that no encoded picture is
// left in a browser that crashes.
async function add(jpeg, marks, at, key) {
	if (jpeg) {
		const next = await createImageBitmap(new Blob([Uint8Array.from(atob(jpeg), (c) => c.charCodeAt(0))]))
		picture?.close()
		picture = next
	}
	if (picture) draw(marks)
	const frame = new VideoFrame(canvas, {timestamp: at})
	encoder.encode(frame, {keyFrame: key})
	frame.close()
	await encoder.flush()
	if (failure) throw failure
	return chunks.splice(0)
}

// draw draws the picture in the middle, and the marks on it. If the picture is larger than the video,
// it is made smaller.
function draw({rings, keys}) {
	const scale = Math.min(1, canvas.width / picture.width, canvas.height / picture.height)
	const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
	const [left, top] = [(canvas.width - width) >> 1, (canvas.height - height) >> 1]
	context.clearRect(0, 0, canvas.width, canvas.height)
	context.drawImage(picture, left, top, width, height)
	for (const {x, y} of rings ?? []) drawRing(left + x * width, top + y * height)
	if (keys) drawCaption(keys)
}

// drawRing draws a ring that can be seen on any color.
function drawRing(x, y) {
	const radius = Math.max(10, canvas.height / 36)
	for (const [color, line] of [['white', radius / 2], ['#d6336c', radius / 4]]) {
		context.beginPath()
		context.arc(x, y, radius, 0, 2 * Math.PI)
		context.strokeStyle = color
		context.lineWidth = line
		context.stroke()
	}
}

// drawCaption writes the names of keys below the middle.
function drawCaption(keys) {
	const size = Math.max(12, canvas.height / 24)
	context.font = `600 ${size}px sans-serif`
	context.textAlign = 'center'
	context.textBaseline = 'middle'
	const width = context.measureText(keys).width + 2 * size
	const [x, y] = [canvas.width / 2, canvas.height - 2 * size]
	context.fillStyle = 'rgb(0 0 0 / 0.8)'
	context.beginPath()
	context.roundRect(x - width / 2, y - size, width, 2 * size, size / 2)
	context.fill()
	context.fillStyle = 'white'
	context.fillText(keys, x, y)
}
