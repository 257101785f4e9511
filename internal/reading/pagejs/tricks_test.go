package pagejs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	cdp "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"chela/internal/reading/pagejs"
	"chela/internal/reading/snapshot"
)

// A trick is markup in which the words "Secret orders" are hidden by style, or are seen although
// the same styles are used.
type trick struct{ name, markup string }

// Each of these is a way to hide text. A picture of the page is the proof, see TestTricksInPictures.
var hiding = []trick{
	{"white text of SVG", `<svg width=300 height=40><text y=25 fill=white>Secret orders</text></svg>`},
	{"white text of SVG, by CSS", `<style>text{fill:#fff}</style><svg width=300 height=40><text y=25>Secret orders</text></svg>`},
	{"white text of SVG in a group", `<svg width=300 height=40><g fill=#fff><text y=25>Secret orders</text></g></svg>`},
	{"white tspan", `<svg width=300 height=40><text y=25>Public <tspan fill=white>Secret orders</tspan></text></svg>`},
	{"text of SVG on a shape of its color", `<svg width=300 height=40><rect width=300 height=40 fill=navy /><text y=25 fill=navy>Secret orders</text></svg>`},
	{"white text of SVG on a line that is not drawn", `<svg width=300 height=40><line x1=5 y1=20 x2=95 y2=20 /><text y=25 fill=white>Secret orders</text></svg>`},
	{"background of a group, which is not painted", `<svg width=300 height=40><g style="background:#000"><text y=25 fill=white>Secret orders</text></g></svg>`},
	{"text of SVG without opacity", `<svg width=300 height=40><text y=25 fill-opacity=0>Secret orders</text></svg>`},
	{"text of SVG without opacity, by CSS", `<svg width=300 height=40 style="fill-opacity:.01"><text y=25>Secret orders</text></svg>`},
	{"text of SVG in a group without opacity of its fill", `<svg width=300 height=40><g fill-opacity=0><text y=25>Secret orders</text></g></svg>`},
	{"text of SVG without opacity, by a rule", `<style>.s{fill-opacity:0}</style><div class=s><svg width=300 height=40><text y=25>Secret orders</text></svg></div>`},
	{"text of SVG without opacity, by a variable", `<style>:root{--o:0}text{fill-opacity:var(--o)}</style><svg width=300 height=40><text y=25>Secret orders</text></svg>`},
	{"text of SVG whose fill loses its opacity", `<style>@keyframes f{to{fill-opacity:0}}text{animation:f 9s -1s steps(1, start) forwards}</style><svg width=300 height=40><text y=25>Secret orders</text></svg>`},
	{"transparent text of SVG", `<svg width=300 height=40><text y=25 style="fill:transparent">Secret orders</text></svg>`},
	{"text beyond the box of a drawing in a drawing", `<svg width=300 height=40><svg width=100 height=40><text x=150 y=25>Secret orders</text></svg></svg>`},
	{"text below the box of a scaled drawing in a drawing", `<svg width=300 height=80 viewBox="0 0 150 40"><svg y=5 width=150 height=10><g><text y=25>Secret orders</text></g></svg></svg>`},
	{"text of SVG with a white outline", `<svg width=300 height=40><text y=25 fill=none stroke=white>Secret orders</text></svg>`},
	{"text of SVG with a transparent outline", `<svg width=300 height=40><text y=25 fill=none stroke=black stroke-opacity=0>Secret orders</text></svg>`},
	{"text of SVG with an outline of no width", `<svg width=300 height=40><text y=25 fill=none stroke=black stroke-width=0>Secret orders</text></svg>`},
	{"white text of SVG on a background that is white", `<svg width=300 height=40 style="background:white"><text y=25 fill=white>Secret orders</text></svg>`},
	{"text of SVG drawn with a paint that does not exist", `<svg width=300 height=40><text y=25 fill="url(#none) white">Secret orders</text></svg>`},
	{"textLength that squeezes the glyphs", `<svg width=300 height=40><text x=5 y=25 textLength=0.1 lengthAdjust=spacingAndGlyphs>Secret orders</text></svg>`},
	{"letters at one place", `<svg width=300 height=40><text x="5 5 5 5 5 5 5 5 5 5 5 5 5" y=25>Secret orders</text></svg>`},

	{"a font in the color of the page", `<font color=white>Secret orders</font>`},
	{"a formula in the color of the page", `<math mathcolor=white><mtext>Secret orders</mtext></math>`},
	{"a text of a formula in the color of the page", `<math><mi>x</mi><mtext mathcolor=white>Secret orders</mtext></math>`},
	{"a formula on its color", `<math mathbackground=black><mtext>Secret orders</mtext></math>`},
	{"a moving line on its color", `<marquee bgcolor=black behavior=slide scrollamount=900>Secret orders</marquee>`},
	{"HTML in SVG without opacity", `<svg width=300 height=40><foreignObject width=300 height=40 opacity=0>Secret orders</foreignObject></svg>`},
	{"HTML in SVG in the color of the page", `<svg width=300 height=40><foreignObject width=300 height=40 color=white>Secret orders</foreignObject></svg>`},
	{"HTML in SVG of the color of the page", `<svg width=300 height=40 color=white><foreignObject width=300 height=40><p>Secret orders</p></foreignObject></svg>`},
	{"HTML in SVG in a group of the color of the page", `<svg width=300 height=40><g color=white><foreignObject width=300 height=40><p>Secret orders</p></foreignObject></g></svg>`},
	{"HTML in SVG without size of its font", `<svg width=300 height=40><foreignObject width=300 height=40 font-size=0>Secret orders</foreignObject></svg>`},
	{"HTML in SVG without size", `<svg width=300 height=40><foreignObject width=0 height=0>Secret orders</foreignObject></svg>`},
	{"HTML in SVG beyond the drawing", `<svg width=300 height=40><foreignObject x=500 width=300 height=40>Secret orders</foreignObject></svg>`},
	{"HTML in SVG that is moved away", `<svg width=300 height=40><foreignObject width=300 height=40 transform="translate(-900)"><p>Secret orders</p></foreignObject></svg>`},
	{"a text on a path that does not exist", `<svg width=300 height=40><text><textPath href="#none">Secret orders</textPath></text></svg>`},
	{"a text beyond the end of its path", `<svg width=300 height=40><path id=w d="M0 25 L290 25"/><text><textPath href="#w" startOffset="300%">Secret orders</textPath></text></svg>`},

	{"a tag in a namespace", `<style>@namespace h url(http://www.w3.org/1999/xhtml); h|p{opacity:0}</style><p>Secret orders</p>`},
	{"all tags of a namespace", `<style>@namespace h url(http://www.w3.org/1999/xhtml); h|*{opacity:0}</style><p>Secret orders</p>`},
	{"a tag with a letter beyond ASCII", `<style>x-é{opacity:0}</style><x-é>Secret orders</x-é>`},
	{"a tag with an escaped colon", `<style>x\:y{opacity:0}</style><x:y>Secret orders</x:y>`},
	{"a tag with an escaped dot", `<style>a\.b{opacity:0}</style><a.b>Secret orders</a.b>`},
	{"a class with an escaped dot", `<style>.a\.b{opacity:0}</style><p class=a.b>Secret orders</p>`},
	{"a class with a space that separates nothing", `<style>.a\a0 b{opacity:0}</style><p class="a&nbsp;b">Secret orders</p>`},

	{"a style in capitals", `<p style="OPACITY:0">Secret orders</p>`},
	{"a style with a comment", `<p style="/**/font-size:0">Secret orders</p>`},
	{"a style with a comment in a value", `<p style="position:/**/absolute;left:-9999px">Secret orders</p>`},
	{"a style with an escape", `<p style="c\6flor:#fff">Secret orders</p>`},
	{"a style with lines", `<div style="background:#fff"><p style="position:relative;z-index:` + "\n" + `-1">Secret orders</p></div>`},
	{"a function in capitals", `<p style="filter:OPACITY(0)">Secret orders</p>`},
	{"a variable with an escape", `<p style="\2d-c:#fff;color:var(--c)">Secret orders</p>`},

	{"the color that is best to read on black", `<style>.s{color:contrast-color(#000)}</style><p class=s>Secret orders</p>`},
	{"the color of text on a dark page", `<style>.s{color-scheme:dark;color:canvastext}</style><p class=s>Secret orders</p>`},
	{"a color made of that color", `<style>.s{color-scheme:dark;color:rgb(from buttontext r g b)}</style><p class=s>Secret orders</p>`},

	{"a white text in a formula", `<math><mi>x</mi><mtext style="color:#fff">Secret orders</mtext></math>`},

	{"a transparent shadow", `<p style="color:#fff;text-shadow:0 0 0 transparent">Secret orders</p>`},
	{"a white shadow", `<p style="color:#fff;text-shadow:1px 1px 2px white">Secret orders</p>`},
	{"two shadows that are not seen", `<p style="color:#fff;text-shadow:0 0 1px rgba(0,0,0,.001), 1px 1px #fff">Secret orders</p>`},
	{"a shadow that is far away", `<p style="color:#fff;text-shadow:-9999px 0 black">Secret orders</p>`},
	{"a shadow that is a haze", `<p style="color:#fff;text-shadow:0 0 400px black">Secret orders</p>`},
	{"a shadow of text without a color", `<p style="color:transparent;text-shadow:0 0 2px transparent">Secret orders</p>`},
	{"a white outline", `<p style="color:#fff;-webkit-text-stroke:1px #fff">Secret orders</p>`},
	{"an outline without a color", `<p style="color:transparent;-webkit-text-stroke:1px transparent">Secret orders</p>`},
	{"a wide white outline over the text", `<p style="-webkit-text-stroke:12px #fff">Secret orders</p>`},
	{"a wide white outline by a rule", `<style>.s{-webkit-text-stroke-width:12px;-webkit-text-stroke-color:white}</style><p class=s>Secret orders</p>`},
	{"a fill that is white", `<style>.s{-webkit-text-fill-color:white}</style><p class=s>Secret orders</p>`},

	{"a shadow in the box", `<p style="background:#000;color:#fff;box-shadow:inset 0 0 0 99px #fff">Secret orders</p>`},
	{"a shadow in the box, by a rule", `<style>.s{background:#000;color:#fff;box-shadow:#fff 0 0 0 99px inset}</style><p class=s>Secret orders</p>`},
	{"a shadow in a box around it", `<div style="background:#000;box-shadow:inset 0 0 0 299px #fff"><p style="color:#fff">Secret orders</p></div>`},
	{"a shadow that is moved into the box", `<p style="background:#000;color:#fff;box-shadow:inset 0 500px #fff">Secret orders</p>`},
	{"a shadow as the only background", `<style>.s{box-shadow:inset 0 0 0 99px #222;color:#222}</style><p class=s>Secret orders</p>`},
	{"a gradient without size", `<p style="background:linear-gradient(#000,#000) no-repeat 0 0/0 0 #fff;color:#fff">Secret orders</p>`},
	{"a gradient without height", `<p style="background:linear-gradient(#000,#000) no-repeat 0 0/100% 0 #fff;color:#fff">Secret orders</p>`},
	{"a gradient that is elsewhere", `<p style="background:linear-gradient(#000,#000) no-repeat -9999px 0/99px 99px #fff;color:#fff">Secret orders</p>`},
	{"a gradient without colors", `<p style="background:linear-gradient(transparent,rgb(0 0 0/0)),white;color:#fff">Secret orders</p>`},
	{"a white gradient", `<p style="background:linear-gradient(#fff,white);color:#fff">Secret orders</p>`},
	{"a white gradient over a dark one", `<p style="background:linear-gradient(#fff,white),linear-gradient(#000,#000);color:#fff">Secret orders</p>`},
	{"no background but a background-size", `<style>.s{background-image:linear-gradient(#000,#000);background-size:0}</style><p class=s style="color:#fff">Secret orders</p>`},
	{"a gradient over the page without size", `<style>body{background:linear-gradient(#000,#000) no-repeat 0 0/0 0}</style><p style="color:#fff">Secret orders</p>`},
	{"a background that is not visible", `<div style="background:#000;visibility:hidden"><p style="visibility:visible;color:#fff">Secret orders</p></div>`},
	{"a white background in the shape of the text", `<div style="background:#fff;background-clip:text"><p style="color:transparent">Secret orders</p></div>`},

	{"a faint box behind it", `<div style="margin-bottom:-20px;height:20px;background:rgba(0,0,0,.01)"></div><p style="color:#fff;margin:0">Secret orders</p>`},
	{"a faint box over it", `<p style="color:#fff">Secret orders</p><div style="position:absolute;inset:0;background:rgba(0,0,0,.01)"></div>`},
	{"a veil over it", `<p style="color:#fff">Secret orders</p><div style="position:fixed;inset:0;background:rgba(0,0,0,.5)"></div>`},
	{"a dialog over it", `<p style="color:#fff">Secret orders</p><div style="position:fixed;z-index:9;inset:0"><section style="background:#050;height:200px">Public</section></div>`},
	{"a veil in the same layer", `<div style="position:relative;z-index:0"><p style="color:#fff">Secret orders</p><div style="position:absolute;inset:0;background:rgba(0,0,0,.5)"></div></div>`},
	{"a veil over a layer", `<div style="position:relative"><p style="color:#fff">Secret orders</p></div><div style="position:absolute;inset:0;background:rgba(0,0,0,.5)"></div>`},
	{"a veil before a layer, but higher", `<div style="position:absolute;z-index:1;inset:0;background:rgba(0,0,0,.5)"></div><div style="position:relative"><p style="color:#fff">Secret orders</p></div>`},
	{"a popover over a layer", `<div style="position:relative;z-index:5"><p style="color:#fff">Secret orders</p></div><div popover=manual id=p style="inset:0;width:250px;height:90px;background:#cec"></div><script>p.showPopover()</script>`},

	{"a background around a slot", `<div><template shadowrootmode=open><div style="background:#000"><slot></slot></div></template>Secret orders</div>`},
	{"a background of a host", `<div><template shadowrootmode=open><style>:host{background:#000}</style><slot></slot></template>Secret orders</div>`},
	{"a slot without opacity", `<div><template shadowrootmode=open><div style="opacity:0"><slot></slot></div></template>Secret orders</div>`},
	{"in place of a bracket", `<ruby>Public<rp>Secret orders</rp><rt>reading</rt></ruby>`},
	{"a rule for what is in a slot", `<div><template shadowrootmode=open><style>::slotted(p){color:#fff}</style><slot></slot></template><p>Secret orders</p></div>`},
	{"a slot in a box of 1 px", `<div><template shadowrootmode=open><div style="height:1px;overflow:hidden;padding-top:30px"><slot></slot></div></template>Secret orders</div>`},

	{"white text without a box of its own", `<p style="display:contents;color:#fff">Secret orders</p>`},
	{"text without a box of its own on its color", `<div style="background:#000"><p style="display:contents">Secret orders</p></div>`},

	{"a box of 1 px with high lines", `<div style="height:1px;overflow:hidden;line-height:60px">Secret orders</div>`},
	{"a box of 1 px each way with high lines", `<div style="width:1px;height:1px;overflow:hidden;line-height:60px">Secret orders</div>`},
	{"a block in a box of 1 px with high lines", `<div style="height:1px;overflow:hidden;line-height:60px"><p style="margin:0">Secret orders</p></div>`},
	{"a box of 3 px with high lines", `<div style="height:3px;overflow:hidden;line-height:60px">Secret orders</div>`},
	{"a box of 1 px that scrolls", `<div style="height:1px;overflow:auto;line-height:60px">Secret orders</div>`},
	{"a box of 1 px and a padding", `<div style="height:1px;overflow:hidden"><p style="margin:0;padding-top:30px">Secret orders</p></div>`},

	{"black text on a screen", `<div style="background:#fff"><p style="mix-blend-mode:screen">Secret orders</p></div>`},
	{"black text on a screen, by a rule", `<style>body{background:#fff}.s{mix-blend-mode:screen}</style><div class=s><p>Secret orders</p></div>`},
	{"lightened", `<div style="background:#fff"><p style="mix-blend-mode:lighten">Secret orders</p></div>`},
	{"dodged", `<div style="background:#fff"><p style="mix-blend-mode:color-dodge">Secret orders</p></div>`},
	{"white text multiplied", `<p style="mix-blend-mode:multiply;color:#fff">Secret orders</p>`},
	{"white on black, multiplied with white", `<div style="background:#000"><p style="mix-blend-mode:multiply;color:#fff">Secret orders</p></div>`},
	{"the difference of black", `<div style="background:#fff"><p style="mix-blend-mode:difference">Secret orders</p></div>`},
	{"plus", `<div style="background:#fff"><p style="mix-blend-mode:plus-lighter">Secret orders</p></div>`},
	{"a screen with a background", `<div style="background:#fff"><p style="mix-blend-mode:screen;background:#fff">Secret orders</p></div>`},
	{"without brightness", `<p style="filter:brightness(0);background:#fff">Secret orders</p>`},
	{"without contrast", `<div style="filter:contrast(0);background:#fff"><p>Secret orders</p></div>`},
	{"bright", `<p style="filter:invert(1)">Secret orders</p>`},
	{"blurred", `<p style="filter:blur(60px)">Secret orders</p>`},

	{"font-size-adjust", `<p style="font-size-adjust:0">Secret orders</p>`},
	{"font-size-adjust by a rule", `<style>.s{font-size-adjust:ex-height .01}</style><div class=s><p>Secret orders</p></div>`},
	{"size-adjust of a font", `<style>@font-face{font-family:tiny;src:local("DejaVu Sans");size-adjust:0%} .s{font-family:tiny}</style><p class=s>Secret orders</p>`},

	{"skewed", `<p style="transform:skewX(90deg)">Secret orders</p>`},
	{"skewed the other way", `<p style="transform:skewY(90deg)">Secret orders</p>`},
	{"skewed by a rule", `<style>.s{transform:skew(90deg, 0deg)}</style><div class=s><p>Secret orders</p></div>`},
	{"turned around", `<p style="transform:rotateY(90deg)">Secret orders</p>`},
	{"turned around an axis", `<p style="transform:rotate3d(1,1,0,90deg)">Secret orders</p>`},
	{"turned nearly", `<p style="transform:rotateX(89.5deg)">Secret orders</p>`},
	{"a matrix", `<p style="transform:matrix(1,0,9999,1,0,0)">Secret orders</p>`},
	{"a scale", `<p style="transform:scale(.01)">Secret orders</p>`},
	{"a scale to one side", `<p style="scale:1 .02">Secret orders</p>`},
	{"a drawing that is far smaller than its text", `<svg width=300 height=40 viewBox="0 0 60000 8000"><text y=2500>Secret orders</text></svg>`},
	{"a drawing that is far narrower than its text", `<svg width=300 height=40 viewBox="0 0 60000 40" preserveAspectRatio=none><text y=25>Secret orders</text></svg>`},
	{"above its drawing", `<svg width=300 height=40><text y=25>Public</text><text y=-25>Secret orders</text></svg>`},
	{"in a drawing of which a box shows nothing", `<div style="width:50px;overflow:hidden"><svg width=300 height=40 style="margin-left:90px"><text y=25>Secret orders</text></svg></div>`},
	{"skewed in SVG", `<svg width=300 height=40><text y=25 transform="skewX(89.99)">Secret orders</text></svg>`},

	{"a background that is met after the color around it", `<style>.w{color:#123456}</style><div class=w><p style="background:#123456">Secret orders</p></div>`},
	{"a background of a rule that is met after the color around it", `<style>.w{color:#123456} .a p{background:#123456}</style><div class=w><div class=a><p>Secret orders</p></div></div>`},
	{"a background that is met after the color of its parent", `<style>.w > p{color:#123456}</style><div class=w><p>Public</p><p style="background:#123456">Secret orders</p><p style="background:#123456">Secret orders</p></div>`},

	{"text of the color of a page that a meta element makes dark", `<meta name="color-scheme" content="dark"><p style="color:#121212">Secret orders</p>`},
	{"a second meta element that does not make the page dark", `<meta name="color-scheme" content="light"><meta name="color-scheme" content="dark"><p style="color:#fff">Secret orders</p>`},

	{"several opacities that add up", `<div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5"><div style="opacity:.5">Secret orders</div></div></div></div></div></div></div></div>`},

	{"a box that a negative margin makes low", `<div style="overflow:hidden"><p style="margin:0">Secret orders</p><p style="margin:-200px 0 0">&nbsp;</p></div>`},
	{"blocks in a box that a negative margin makes low", `<div style="overflow:hidden"><section><p style="margin:0"><b>Secret orders</b></p></section><p style="margin:-200px 0 0">&nbsp;</p></div>`},
	{"a cell that a negative margin makes low", `<table><td style="overflow:hidden"><p style="margin:0">Secret orders</p><p style="margin:-200px 0 0">&nbsp;</p></table>`},

	{"aligned to the end of a column", `<div style="display:flex;flex-direction:column;align-items:flex-end"><p style="width:9000px">Secret orders</p></div>`},
	{"aligned to the end by itself", `<div style="display:flex;flex-direction:column"><p style="width:9000px;align-self:flex-end">Secret orders</p></div>`},
	{"aligned to the end of a row", `<div style="display:flex;align-items:flex-end;height:30px"><p style="height:9000px">Secret orders</p></div>`},
	{"at the end of a grid", `<div style="display:grid;grid-template-columns:100%;justify-items:end"><p style="width:9000px">Secret orders</p></div>`},
	{"at the end of a grid, placed", `<div style="display:grid;grid-template-columns:100%;place-items:end"><p style="width:9000px">Secret orders</p></div>`},
	{"at the end of a grid, placed by itself", `<div style="display:grid;grid-template-columns:100%"><p style="width:9000px;place-self:end">Secret orders</p></div>`},
	{"lines that are wrapped upwards", `<div style="display:flex;flex-wrap:wrap-reverse;height:30px"><p style="width:200px;height:900px;margin:0">Secret orders</p></div>`},
	{"too wide to be centered", `<div style="display:flex;justify-content:center"><div style="width:9000px;flex:none"><p>Secret orders</p></div></div>`},
	{"too high to be centered", `<div style="display:flex;align-items:center;height:30px"><p style="height:9000px">Secret orders</p></div>`},
	{"too wide to be centered in a box that scrolls", `<div style="display:flex;flex-direction:column;overflow:auto;align-items:center"><p style="width:9000px">Secret orders</p></div>`},
	{"too wide to be centered by itself", `<div style="display:grid;grid-template-columns:100%"><p style="width:9000px;justify-self:center">Secret orders</p></div>`},
	{"a grid that is too wide to be centered", `<div style="display:grid;grid-template-columns:9000px;place-content:center"><p>Secret orders</p></div>`},

	{"a clip beside the text", `<p style="position:absolute;clip:rect(500px,900px,900px,500px)">Secret orders</p>`},
	{"a clip at the left edge", `<p style="position:absolute;clip:rect(auto,0px,auto,auto)">Secret orders</p>`},
	{"a clip at the upper edge", `<p style="position:absolute;clip:rect(auto,auto,0px,auto)">Secret orders</p>`},
	{"a clip that begins to the right of the text", `<p style="position:fixed;clip:rect(auto,auto,auto,900px)">Secret orders</p>`},

	{"a path that leads away", `<p style="offset:path('M -9999 0 H 1')">Secret orders</p>`},
	{"a mask of the box that leaves nothing", `<p style="-webkit-mask-box-image:linear-gradient(transparent,transparent)">Secret orders</p>`},
	{"all styles as they are at first, on black", `<div style="background:#000;color:#fff"><p style="all:initial">Secret orders</p></div>`},

	{"two opacities of a filter", `<p style="filter:opacity(1) opacity(0)">Secret orders</p>`},
	{"an opacity of a filter with an exponent", `<p style="filter:opacity(.00000001)">Secret orders</p>`},
	{"blurs that add up", `<p style="filter:blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px) blur(7px)">Secret orders</p>`},
	{"blurs that add up in each other", `<div style="filter:blur(7px)"><div style="filter:blur(7px)"><div style="filter:blur(7px)"><div style="filter:blur(7px)">Secret orders</div></div></div></div>`},
	{"the smaller size of a font", `<p style="font-size:min(2em,-5px)">Secret orders</p>`},
	{"a size of a font with an exponent", `<p style="font-size:1e-7px">Secret orders</p>`},

	{"a clip-path by the larger of two lengths", `<p style="clip-path:inset(max(60%,0px))">Secret orders</p>`},
	{"a clip-path by nested functions", `<p style="clip-path:inset(calc(10px + max(50%, 3px)) 0 0 0)">Secret orders</p>`},
	{"a clip-path whose points are functions", `<p style="clip-path:polygon(max(0%,0px) 0, min(0%,1px) 0, 0% 100%)">Secret orders</p>`},
	{"a gradient without width, by a function", `<p style="background:linear-gradient(#000,#000) no-repeat 0 0/max(0%,0px) 100% #fff;color:#fff">Secret orders</p>`},
	{"a gradient beside the box", `<p style="background:linear-gradient(#000,#000) no-repeat calc(100% + 310px) 0/300px 100% #fff;color:#fff;width:300px">Secret orders</p>`},

	{"a label of nothing", `<label style="opacity:0">Secret orders</label>`},

	{"a black image on the border, which fills the box", `<p style="border:1px solid;border-image:linear-gradient(#000,#000) 1 fill">Secret orders</p>`},
	{"text of SVG with a gradient without colors", `<svg width=300 height=40><linearGradient id=g></linearGradient><text y=25 fill="url(#g)">Secret orders</text></svg>`},
	{"text of SVG with the paint of a shape that does not exist", `<svg width=300 height=40><text y=25 fill=context-fill>Secret orders</text></svg>`},
	{"a tiny text of a formula", `<math><mtext mathsize="0.1px">Secret orders</mtext></math>`},
	{"an index of an index of a formula", `<math><mrow scriptlevel=30><mtext>Secret orders</mtext></mrow></math>`},
	{"a part of a formula that is moved away", `<math><mpadded width=0 height=0 depth=0 voffset=9999px><mtext>Secret orders</mtext></mpadded></math>`},
}

// These hide text by shapes and masks, and by what hides part of a gradient.
var cutting = []trick{
	{"a clip-path beside the text", `<p style="clip-path:inset(0 0 0 600px)">Secret orders</p>`},
	{"a circle beside the text", `<p style="clip-path:circle(5px at 700px 5px)">Secret orders</p>`},
	{"a rectangle of a pixel", `<p style="clip-path:rect(0 1px 1px 0)">Secret orders</p>`},
	{"a box by place and size", `<p style="clip-path:xywh(0 0 1px 1px)">Secret orders</p>`},
	{"a clip-path above the lines", `<div style="height:10px;clip-path:inset(0);line-height:60px">Secret orders</div>`},
	{"below the background of what it is in", `<div style="background:#fff"><p style="position:relative;z-index:-1">Secret orders</p></div>`},
	{"a pattern with nothing in it", `<svg width=300 height=40><text y=25 fill=url(#e)>Secret orders</text><pattern id=e width=1 height=1></pattern></svg>`},
	{"a mask that is transparent", `<p style="mask-image:linear-gradient(transparent,transparent)">Secret orders</p>`},
	{"a mask without size", `<style>.s{mask:linear-gradient(#000,#000) no-repeat 0 0/0 0}</style><p class=s>Secret orders</p>`},
	{"dots in the place of letters", `<p style="-webkit-text-security:disc">Secret orders</p>`},
	{"a gradient whose dark color has no room", `<p style="background:linear-gradient(#000 0,#fff 0);color:#fff">Secret orders</p>`},
	{"a gradient whose dark color is behind its end", `<p style="background:linear-gradient(#fff 100%,#000 100%);color:#fff">Secret orders</p>`},
	{"a path that cancels itself", `<p style="clip-path:polygon(evenodd,0 0,100% 0,100% 100%,0 100%,0 0,100% 0,100% 100%,0 100%)">Secret orders</p>`},
	{"a line as the shape", `<p style="clip-path:polygon(0 0,100% 0,0 0)">Secret orders</p>`},
	{"a mask of the content only, beside the text", `<p style="mask:linear-gradient(#000,#000);mask-clip:content-box;padding:0 0 0 200px;width:0;text-indent:-200px;white-space:nowrap">Secret orders</p>`},
	{"a white gradient in a set of images", `<p style="background:image-set(linear-gradient(#fff,#fff) 1x);color:#fff">Secret orders</p>`},
}

// Each of these texts leaves something on the screen, but nobody can read it.
var illegible = []trick{
	{"text of SVG below a wide white outline", `<svg width=300 height=40><text y=25 stroke=white stroke-width=20>Secret orders</text></svg>`},
	{"textLength", `<svg width=300 height=40><text x=5 y=25 textLength=0.1>Secret orders</text></svg>`},
	{"textLength that leaves a fifth of the size of the font to each letter", `<svg width=300 height=40><text x=5 y=25 textLength=36>Secret orders</text></svg>`},
	{"textLength of letters of many widths", `<svg width=300 height=40><text x=5 y=25 style="font-family:sans-serif" textLength=0.1>Secret orders</text></svg>`},
	{"a white outline as wide as the strokes of the letters", `<p style="-webkit-text-stroke:1.6px #fff">Secret orders</p>`},
	{"letters moved to one place", `<div style="letter-spacing:-.59em">Secret orders</div>`},
	{"skewed nearly", `<p style="transform:skewX(89.9deg)">Secret orders</p>`},
	{"skewed in two steps", `<div style="transform:skewX(85deg)"><p style="transform:skewX(85deg)">Secret orders</p></div>`},
}

// None of these texts is rendered. Each stands beside something that makes innerText useless for the
// element: a shadow root, or a hidden text in what is rendered again.
var unrendered = []trick{
	{"not visible, beside a shadow root", `<div style="visibility:hidden">Secret orders<span><template shadowrootmode=open></template></span></div>`},
	{"not visible, around a hidden text", `<div style="visibility:hidden">Secret orders <b style="visibility:visible;opacity:0">x</b></div>`},
	{"collapsed", `<div style="visibility:collapse">Secret orders<span><template shadowrootmode=open></template></span></div>`},
	{"in a closed details", `<details><summary>Public</summary>Secret orders<span><template shadowrootmode=open></template></span></details>`},
	{"in an element of a closed details", `<details><summary>Public</summary><b>Secret orders</b><span><template shadowrootmode=open></template></span></details>`},
	{"in a closed details, without a box", `<details><summary>Public</summary><b style="display:contents">Secret orders</b><span><template shadowrootmode=open></template></span></details>`},
	{"in a closed details without a summary", `<details>Secret orders<span><template shadowrootmode=open></template></span></details>`},
	{"in a second summary", `<details><summary>Public<span><template shadowrootmode=open></template></span></summary><summary>Secret orders</summary></details>`},
	{"alone in a closed details", `<details><summary>Public</summary>Secret orders</details>`},
	{"without content-visibility", `<div style="content-visibility:hidden">Secret orders<span><template shadowrootmode=open></template></span></div>`},
	{"in an element without content-visibility", `<div style="content-visibility:hidden"><p>Secret orders</p><span><template shadowrootmode=open></template></span></div>`},
	{"alone without content-visibility", `<div style="content-visibility:hidden">Secret orders</div>`},
	{"without content-visibility, in capitals", `<div style="CONTENT-visibility:hidden">Secret orders<span><template shadowrootmode=open></template></span></div>`},
	{"without content-visibility, with an escape", `<div style="content\2dvisibility:hidden">Secret orders<span><template shadowrootmode=open></template></span></div>`},
	{"hidden until found", `<div hidden=until-found>Secret orders<span><template shadowrootmode=open></template></span></div>`},
	{"not visible, in a shadow root", `<div><template shadowrootmode=open><p style="visibility:hidden">Secret orders</p>Public</template></div>`},
	{"not visible, in a slot", `<div><template shadowrootmode=open><p style="visibility:hidden"><slot></slot></p></template>Secret orders</div>`},
	{"in a canvas", `<canvas>Secret orders<span><template shadowrootmode=open></template></span></canvas>`},
	{"alone in a canvas", `<canvas>Secret orders</canvas>`},
	{"in a fenced frame", `<fencedframe>Secret orders</fencedframe>Public`},
	{"in an element of a fenced frame", `<fencedframe><p>Secret orders</p></fencedframe>Public`},
	{"in a video", `<video>Secret orders<span><template shadowrootmode=open></template></span></video>`},
	{"in an object that shows something else", `<object type="image/svg+xml" data="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E">Secret orders<span><template shadowrootmode=open></template></span></object>`},
	{"in an element of a canvas", `<canvas><p>Secret orders</p><span><template shadowrootmode=open></template></span></canvas>`},
	{"in no slot", `<div><template shadowrootmode=open>Public</template>Secret orders</div>`},
	{"in the definitions of a drawing", `<svg width=300 height=40><defs><text y=25>Secret orders</text></defs></svg>`},
	{"in a symbol that nothing uses", `<svg width=300 height=40><symbol id=s><text y=25>Secret orders</text></symbol></svg><use href="#s">x</use>`},
	{"in an option that is not shown", `<select><option>Public<option style="display:none">Secret orders</select>`},
	{"in a hidden option", `<select><option>Public<option hidden>Secret orders</select>`},
	{"in an option with another label", `<select><option>Public<option label="Also public">Secret orders</select>`},
	{"in a hidden group of options", `<select><option>Public<optgroup hidden label=x><option>Secret orders</optgroup></select>`},
	{"directly in a drawing", `<svg width=300 height=40>Secret orders</svg>`},
	{"directly in a group of a drawing", `<svg width=300 height=40><text y=25>Public</text><g>Secret orders</g></svg>`},
	{"in a shape", `<svg width=300 height=40><rect>Secret orders</rect></svg>`},
	{"in an element that SVG does not have", `<svg width=300 height=40><b1>Secret orders</b1></svg>`},
	{"in a link of a drawing, outside of its texts", `<svg width=300 height=40><a>Secret orders</a></svg>`},
	{"in a tspan without a text around it", `<svg width=300 height=40><tspan y=25>Secret orders</tspan></svg>`},
	{"in a text for another language", `<svg width=300 height=40><text y=25 systemLanguage=xx>Secret orders</text></svg>`},
	{"in the second text of a switch", `<svg width=300 height=40><switch><text y=25>Public</text><text y=25>Secret orders</text></switch></svg>`},
	{"in a marker that no line has", `<svg width=300 height=40><marker><text y=25>Secret orders</text></marker></svg>`},
	{"in a mask that nothing has", `<svg width=300 height=40><mask><text y=25>Secret orders</text></mask></svg>`},
	{"directly in a formula", `<math>Secret orders</math>`},
	{"in a part of a formula that has no letters", `<math><mrow><mi>x</mi><mrow>Secret orders</mrow></mrow></math>`},
	{"in a remark on nothing", `<math><semantics><annotation>Secret orders</annotation></semantics></math>`},
	{"in the column of a table", `<style>.s{display:table-column}</style><p class=s>Secret orders</p>`},
	{"in a group of columns", `<div style="display:table-column-group"><p>Secret orders</p></div>`},
	{"in an element that shows a picture instead", `<style>.s{content:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)}</style><p class=s>Secret orders</p>`},
	{"in an element in one that shows a picture instead", `<div style="content:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)"><p>Secret orders</p></div>`},
	{"in a control that is not visible", `<button style="visibility:hidden">Secret orders<span><template shadowrootmode=open></template></span></button>`},
}

// Each of these is seen.
var showing = []trick{
	{"black text of SVG", `<svg width=300 height=40><text y=25>Secret orders</text></svg>`},
	{"white text of SVG on a shape", `<svg width=300 height=40><rect width=300 height=40 fill=navy /><text y=25 fill=white>Secret orders</text></svg>`},
	{"white text of SVG on a wide line", `<svg width=300 height=40><line x1=5 y1=20 x2=295 y2=20 stroke=navy stroke-width=40 /><text y=25 fill=white>Secret orders</text></svg>`},
	{"black text of SVG between lines", `<svg width=300 height=40><line x2=300 y1=5 y2=5 /><line x2=300 y1=35 y2=35 stroke=black /><text y=25>Secret orders</text></svg>`},
	{"white text of SVG on a path", `<svg width=300 height=40><path d="M0 0H300V40H0z"/><text y=25 fill=white>Secret orders</text></svg>`},
	{"white text of SVG on an image", `<svg width=300 height=40><image width=300 height=40 preserveAspectRatio=none href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E"/><text y=25 fill=white>Secret orders</text></svg>`},
	{"white text of SVG on a drawing that is used", `<svg width=300 height=40><defs><rect id=r width=300 height=40 /></defs><use href=#r /><text y=25 fill=white>Secret orders</text></svg>`},
	{"white text of SVG with an outline", `<svg width=300 height=40><text y=25 fill=white stroke=black>Secret orders</text></svg>`},
	{"outlined text of SVG", `<svg width=300 height=40><text y=25 fill=none stroke=black>Secret orders</text></svg>`},
	{"white text of SVG on black", `<div style="background:#000"><svg width=300 height=40><text y=25 fill=white>Secret orders</text></svg></div>`},
	{"white text in SVG with a black background", `<svg width=300 height=40 style="background:#000"><text y=25 fill=white>Secret orders</text></svg>`},
	{"text of SVG over a halo", `<svg width=300 height=40><text y=25 stroke=white stroke-width=6 paint-order=stroke>Secret orders</text></svg>`},
	{"text of SVG with a gradient", `<svg width=300 height=40><defs><linearGradient id=g><stop stop-color=red /><stop offset=1 stop-color=blue /></linearGradient></defs><text y=25 fill="url(#g)">Secret orders</text></svg>`},
	{"text of SVG with an opacity of half", `<svg width=300 height=40><text y=25 fill-opacity=.5>Secret orders</text></svg>`},
	{"white text of SVG over a box", `<div style="position:relative"><div style="position:absolute;inset:0;background:#060"></div><svg width=300 height=40 style="position:relative"><text y=25 fill=white>Secret orders</text></svg></div>`},
	{"a part of a text of SVG", `<svg width=300 height=40><text y=25>Public <tspan><a>Secret orders</a></tspan></text></svg>`},
	{"text of SVG on a line", `<svg width=300 height=40><path id=l d="M0 25H300" /><text><textPath href=#l>Secret orders</textPath></text></svg>`},
	{"the first text of a switch", `<svg width=300 height=40><switch><text y=25>Secret orders</text><text y=25>Public</text></switch></svg>`},
	{"HTML in a drawing", `<svg width=300 height=40><foreignObject width=300 height=40>Secret orders</foreignObject></svg>`},
	{"an element of HTML in a drawing", `<svg width=300 height=40><foreignObject width=300 height=40><p>Secret orders</p></foreignObject></svg>`},
	{"text beside a picture by a rule", `<style>.s::before{content:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)}</style><p class=s>Secret orders</p>`},
	{"text for which a rule wants another", `<p style="content:'x'">Secret orders</p>`},
	{"a cell by a rule", `<p style="display:table-cell">Secret orders</p>`},
	{"text of a formula", `<math><mrow><mtext>Secret orders</mtext></mrow></math>`},
	{"textLength that is longer", `<svg width=300 height=40><text y=25 textLength=250>Secret orders</text></svg>`},
	{"letters apart in SVG", `<svg width=300 height=40><text x="5 15 25 35 45 55 65 75 85 95 105 115 125" y=25>Secret orders</text></svg>`},
	{"dense letters", `<p style="letter-spacing:-.1em">Secret orders</p>`},
	{"text of SVG turned", `<svg width=300 height=200><text transform="translate(100 190) rotate(-90)">Secret orders</text></svg>`},

	{"white text with a shadow", `<p style="color:#fff;text-shadow:0 0 3px #000">Secret orders</p>`},
	{"white text with four shadows", `<p style="color:#fff;text-shadow:-1px 0 black, 0 1px black, 1px 0 black, 0 -1px black">Secret orders</p>`},
	{"a shadow that is not the first", `<p style="color:#fff;text-shadow:0 0 0 transparent, 1px 1px 2px #333">Secret orders</p>`},
	{"a shadow alone", `<p style="color:transparent;text-shadow:0 0 1px rgba(0,0,0,.7)">Secret orders</p>`},
	{"black text with a white shadow", `<p style="text-shadow:0 1px 0 #fff">Secret orders</p>`},
	{"white text with an outline", `<p style="color:#fff;-webkit-text-stroke:1px black">Secret orders</p>`},
	{"an outline alone", `<p style="color:transparent;-webkit-text-stroke:1px #00f">Secret orders</p>`},
	{"black text with a fine white outline", `<p style="font-size:40px;-webkit-text-stroke:1px #fff">Secret orders</p>`},
	{"black text with an outline of its color", `<p style="-webkit-text-stroke:.4px">Secret orders</p>`},
	{"black text over its outline", `<p style="-webkit-text-stroke:4px #fff;paint-order:stroke fill">Secret orders</p>`},

	{"white on black with a shadow in the box", `<p style="background:#000;color:#fff;box-shadow:inset 0 0 4px #fff">Secret orders</p>`},
	{"white on a shadow in the box", `<p style="box-shadow:inset 0 0 0 99px #125;color:#fff">Secret orders</p>`},
	{"a cell with a transparent shadow", `<table style="color:#fff;background:#212529"><tr><td style="box-shadow:inset 0 0 0 9999px rgba(255,255,255,.05)">Secret orders</table>`},
	{"white on black with a line as a shadow", `<p style="background:#000;color:#fff;box-shadow:inset 0 -3px #fff">Secret orders</p>`},
	{"white on black with a shadow outside", `<p style="background:#000;color:#fff;box-shadow:0 0 9px #fff">Secret orders</p>`},
	{"white on a gradient", `<p style="background:linear-gradient(#000,#333);color:#fff">Secret orders</p>`},
	{"white on a gradient that ends in white", `<p style="background:linear-gradient(90deg,#000,#fff);color:#fff">Secret orders</p>`},
	{"white on a gradient that covers the box", `<p style="background:linear-gradient(#000,#000) no-repeat 0 0/100% 100% #fff;color:#fff">Secret orders</p>`},
	{"white on a gradient that repeats", `<p style="background:linear-gradient(#000,#000) 0 0/4px 4px #fff;color:#fff">Secret orders</p>`},
	{"white on a gradient that fills in", `<p style="background:radial-gradient(circle,#000 80%,transparent) center/cover;color:#fff">Secret orders</p>`},
	{"white below a gradient without colors", `<p style="background:linear-gradient(transparent,transparent),#000;color:#fff">Secret orders</p>`},
	{"white on a picture", `<p style="background:#fff url(&quot;data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E&quot;);color:#fff">Secret orders</p>`},
	{"white on a background around it with a shadow", `<div style="background:#000;box-shadow:inset 0 0 0 2px #fff;padding:9px"><p style="color:#fff">Secret orders</p></div>`},
	{"a dark page", `<style>:root{color-scheme:dark;background:#111}body{color:#fff}</style><p>Secret orders</p>`},
	{"a dark page with a gradient", `<style>body{background:linear-gradient(#111,#000);color:#fff}</style><p>Secret orders</p>`},
	{"text in a gradient", `<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">Secret orders</p>`},
	{"a background around what is not visible", `<div style="background:#000"><div style="visibility:hidden"><p style="visibility:visible;color:#fff">Secret orders</p></div></div>`},

	{"a box behind it", `<div style="margin-bottom:-20px;height:20px;background:#060"></div><p style="color:#fff;margin:0">Secret orders</p>`},
	{"a box after it, which is painted before", `<p style="color:#fff;margin:0 0 -20px;line-height:20px">Secret orders</p><div style="height:20px;background:#060"></div>`},
	{"a box that is moved behind it", `<p style="color:#fff">Secret orders</p><div style="position:absolute;z-index:-1;inset:0;background:#060"></div>`},
	{"a box in what is moved behind it", `<p style="color:#fff">Secret orders</p><div style="position:absolute;z-index:-1;inset:0"><b style="position:absolute;inset:0;background:#060"></b></div>`},
	{"a box behind text with a place", `<div style="position:absolute;inset:0;background:#060"></div><p style="color:#fff;position:relative">Secret orders</p>`},
	{"a box behind a layer", `<div style="position:absolute;inset:0;background:#060"></div><p style="color:#fff;opacity:.9">Secret orders</p>`},
	{"a box behind what is higher in its layer", `<div style="position:relative"><p style="color:#fff;position:relative;z-index:1">Secret orders</p></div><div style="position:absolute;inset:0;background:#060"></div>`},
	{"a veil behind it", `<div style="margin-bottom:-20px;height:20px;background:rgba(0,0,0,.5)"></div><p style="color:#fff;margin:0">Secret orders</p>`},

	{"a drawing in a drawing", `<svg width=300 height=40><svg x=120 width=150 height=40><text x=5 y=25>Secret orders</text></svg></svg>`},
	{"a drawing in a drawing that shows what is outside of it", `<svg width=300 height=40><svg width=50 height=40 overflow=visible><text x=60 y=25>Secret orders</text></svg></svg>`},
	{"a scaled drawing in a drawing", `<svg width=300 height=80 viewBox="0 0 150 40"><svg width="100%" height="50%"><text y=15>Secret orders</text></svg></svg>`},

	{"a slot", `<div><template shadowrootmode=open><div style="background:#ccc"><slot></slot></div></template>Secret orders</div>`},
	{"a slot in a box", `<div><template shadowrootmode=open><div style="height:50px;overflow:hidden;padding-top:30px"><slot></slot></div></template>Secret orders</div>`},

	{"visible again, beside a shadow root", `<div style="visibility:hidden">Public<span><template shadowrootmode=open></template></span><b style="visibility:visible">Secret orders</b></div>`},
	{"an open details", `<details open><summary>Public</summary>Secret orders<span><template shadowrootmode=open></template></span></details>`},
	{"a summary", `<details><summary>Secret orders<span><template shadowrootmode=open></template></span></summary>Public</details>`},
	{"text without a box of its own, beside a shadow root", `<p style="display:contents">Secret orders<span><template shadowrootmode=open></template></span></p>`},
	{"a summary without a box of its own", `<details><summary style="display:contents"><b style="display:contents">Secret orders</b><span><template shadowrootmode=open></template></span></summary>Public</details>`},
	{"text directly in a shadow root", `<div><template shadowrootmode=open>Secret orders</template></div>`},

	{"text without a box of its own", `<div style="background:#ccc"><p style="display:contents">Secret orders</p></div>`},

	{"a box as high as its line", `<div style="height:60px;overflow:hidden;line-height:60px">Secret orders</div>`},
	{"a box of 1 px that shows all", `<div style="height:1px;line-height:60px">Secret orders</div>`},
	{"a low box with low lines", `<div style="height:14px;overflow:hidden;line-height:14px">Secret orders</div>`},

	{"a red font", `<font color=red>Secret orders</font>`},
	{"a red formula", `<math mathcolor=red><mtext>Secret orders</mtext></math>`},
	{"HTML in SVG", `<svg width=300 height=40><foreignObject width=300 height=40 font-size=12 color=navy><p>Secret orders</p></foreignObject></svg>`},
	{"HTML in SVG that is larger than its box", `<svg width=300 height=40><foreignObject width=9 height=9 overflow=visible>Secret orders</foreignObject></svg>`},
	{"a text on a path", `<svg width=300 height=40><path id=w d="M0 25 L290 25"/><text><textPath href="#w">Secret orders</textPath></text></svg>`},
	{"a text with a shadow of half its size", `<p style="color:#fff;text-shadow:0 0 4px black">Secret orders</p>`},
	{"a text with a shadow larger than its size", `<p style="color:#fff;text-shadow:0 0 40px black">Secret orders</p>`},

	{"black text multiplied", `<p style="mix-blend-mode:multiply">Secret orders</p>`},
	{"the difference of white", `<div style="background:#fff"><p style="mix-blend-mode:difference;color:#fff">Secret orders</p></div>`},
	{"a screen on black", `<div style="background:#000"><p style="mix-blend-mode:screen;color:#fff">Secret orders</p></div>`},
	{"a screen in a layer of its own", `<div style="isolation:isolate"><p style="mix-blend-mode:screen">Secret orders</p></div>`},
	{"a blend with a picture", `<div style="background:url(&quot;data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E&quot;)"><p style="mix-blend-mode:screen;color:#fff">Secret orders</p></div>`},
	{"text beside a picture that blends", `<p>Secret orders <img style="mix-blend-mode:screen" width=9 height=9 src="data:,"></p>`},
	{"a bright filter", `<p style="filter:brightness(1.2)">Secret orders</p>`},
	{"a filter that turns colors around", `<div style="filter:invert(1) hue-rotate(180deg);background:#fff"><p>Secret orders</p></div>`},
	{"white with a drop shadow", `<p style="color:#fff;filter:drop-shadow(0 0 2px #000)">Secret orders</p>`},
	{"a little blurred", `<p style="filter:blur(.5px)">Secret orders</p>`},
	{"gray", `<p style="filter:grayscale(1)">Secret orders</p>`},

	{"font-size-adjust of a font", `<p style="font-size-adjust:.55">Secret orders</p>`},
	{"size-adjust of a font", `<style>@font-face{font-family:wide;src:local("DejaVu Sans");size-adjust:110%} .s{font-family:wide}</style><p class=s>Secret orders</p>`},

	{"below what has no background", `<div><p style="position:relative;z-index:-1">Secret orders</p></div>`},
	{"above the background of a layer", `<div style="background:#fff;isolation:isolate"><p style="position:relative;z-index:-1">Secret orders</p></div>`},
	{"a pattern with a shape in it", `<svg width=300 height=40><text y=25 fill=url(#e)>Secret orders</text><pattern id=e width=1 height=1><rect width=300 height=40 /></pattern></svg>`},
	{"a clip-path around the text", `<p style="clip-path:circle(100px at 60px 12px)">Secret orders</p>`},
	{"a clip-path around a box beside the text", `<div style="clip-path:polygon(0 0,100vw 0,100vw 100vh)"><p style="position:absolute;margin:0;left:200px">Secret orders</p></div>`},
	{"a clip-path with a hole", `<p style="clip-path:polygon(evenodd,0 0,100% 0,100% 100%,0 100%,0 0,40px 0,40px 100%,0 100%)">Secret orders</p>`},
	{"a mask of the content", `<p style="mask:linear-gradient(#000,#000);mask-clip:content-box;padding:5px">Secret orders</p>`},
	{"a red image on the border, which fills the box", `<p style="border:1px solid;border-image:linear-gradient(#f00,#f00) 1 fill">Secret orders</p>`},
	{"a black image on the border only", `<p style="border:1px solid;border-image:linear-gradient(#000,#000) 1">Secret orders</p>`},
	{"a part of a formula that is moved a little", `<math><mpadded voffset=3px><mtext>Secret orders</mtext></mpadded></math>`},
	{"a clip-path of a part", `<p style="clip-path:polygon(0 0, 50% 0, 50% 100%, 0 100%)">Secret orders</p>`},
	{"a clip-path of closest-side", `<p style="clip-path:circle(closest-side);width:140px;height:140px">Secret orders<br>Secret orders<br>Secret orders<br>Secret orders</p>`},
	{"a clip-path that is turned", `<p style="transform:translateX(40px);clip-path:inset(0 50px 0 0)">Secret orders</p>`},
	{"a mask that fades out", `<p style="mask-image:linear-gradient(#000 50%,transparent)">Secret orders</p>`},
	{"white on a gradient with hard edges", `<p style="background:linear-gradient(#000 0,#000 50%,#fff 50%);color:#fff">Secret orders</p>`},

	{"a little skewed", `<p style="transform:skewX(-12deg)">Secret orders</p>`},
	{"skewed and back", `<div style="transform:skewX(60deg)"><p style="transform:skewX(-60deg)">Secret orders</p></div>`},
	{"turned upside down", `<p style="transform:rotate(170deg);width:200px">Secret orders</p>`},
	{"turned a little", `<p style="transform:rotateY(30deg)">Secret orders</p>`},
	{"turned and back", `<div style="transform-style:preserve-3d;transform:rotateY(90deg)"><p style="transform:rotateY(-90deg)">Secret orders</p></div>`},
	{"small, and large again", `<div style="transform:scale(.1);transform-origin:0 0"><p style="transform:scale(10);transform-origin:0 0">Secret orders</p></div>`},

	{"white text on a picture of the attribute background", `<table><td background="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E"><font color=white>Secret orders</font></table>`},

	{"white text on a page that a meta element makes dark", `<meta name="color-scheme" content="dark"><p style="color:#fff">Secret orders</p>`},
	{"a page that a meta element makes dark", `<meta name="color-scheme" content="none at all"><meta name="color-scheme" content="dark"><p>Secret orders</p>`},

	{"two opacities", `<div style="opacity:.6"><div style="opacity:.6">Secret orders</div></div>`},

	{"a box that a negative margin makes a little lower", `<div style="overflow:hidden"><p style="margin:0">Secret orders</p><p style="margin:-20px 0 0">&nbsp;</p></div>`},

	{"centered", `<div style="display:flex;align-items:center;height:60px"><p>Secret orders</p></div>`},
	{"too wide to be centered, and therefore at the start", `<div style="display:flex;justify-content:safe center"><p style="width:9000px;flex:none">Secret orders</p></div>`},
	{"too wide to have space around", `<div style="display:flex;justify-content:space-around"><p style="width:9000px;flex:none">Secret orders</p></div>`},

	{"a clip that cuts nothing", `<p style="position:absolute;clip:rect(auto,auto,auto,auto)">Secret orders</p>`},
	{"a clip that shows a part", `<p style="position:absolute;clip:rect(0px,60px,auto,auto)">Secret orders</p>`},

	{"a mask of the box that leaves all", `<p style="-webkit-mask-box-image:linear-gradient(#000,#000)">Secret orders</p>`},
	{"all styles as they are around", `<style>.s{background:#000;color:#fff} p{all:unset}</style><div class=s><p>Secret orders</p></div>`},

	{"two small blurs", `<p style="filter:blur(1px) blur(1px)">Secret orders</p>`},
	{"two opacities of a filter, seen", `<p style="filter:opacity(.5) opacity(.8)">Secret orders</p>`},
	{"the larger size of a font", `<style>.s{font-size:max(1em,15px)}</style><p class=s>Secret orders</p>`},

	{"a clip-path by the smaller of two lengths", `<p style="clip-path:inset(min(10%,1px))">Secret orders</p>`},
	{"a clip-path of nested functions", `<p style="clip-path:polygon(0 0, calc(min(100%,300px) - 1px) 0, 100% 100%, 0 100%)">Secret orders</p>`},
	{"a gradient as wide as the box, by a function", `<p style="background:linear-gradient(#000,#000) no-repeat 0 0/min(100%,9999px) 100% #fff;color:#fff">Secret orders</p>`},
	{"a gradient that begins in the box", `<p style="background:linear-gradient(#000,#000) no-repeat calc(100% + 10px) 0/300px 100% #fff;color:#fff;width:300px">Secret orders</p>`},
}

// Each of these hides the text of a ::before. The HTML readings have its style sheet, with the words.
var hidingBefore = []trick{
	{"fixed to the left", `<style>p::before{content:"Secret orders";position:fixed;left:-9999px}</style><p></p>`},
	{"moved to the left", `<style>p::before{content:"Secret orders";position:relative;left:-9999px}</style><p></p>`},
	{"no height", `<style>p::before{content:"Secret orders";display:block;height:0;overflow:hidden}</style><p></p>`},
	{"no width", `<style>p::before{content:"Secret orders";display:block;width:0;overflow:hidden;white-space:nowrap}</style><p></p>`},
	{"a scale of nothing", `<style>p::before{content:"Secret orders";display:inline-block;transform:scale(0)}</style><p></p>`},
	{"scale", `<style>p::before{content:"Secret orders";display:inline-block;scale:0}</style><p></p>`},
	{"a transform to the left", `<style>p::before{content:"Secret orders";display:inline-block;transform:translateX(-9999px)}</style><p></p>`},
	{"translate", `<style>p::before{content:"Secret orders";display:inline-block;translate:-9999px}</style><p></p>`},
	{"an indent", `<style>p::before{content:"Secret orders";display:block;text-indent:-9999px}</style><p></p>`},
	{"a margin", `<style>p::before{content:"Secret orders";margin-left:-9999px}</style><p></p>`},
	{"blurred", `<style>p::before{content:"Secret orders";display:block;filter:blur(60px)}</style><p></p>`},
	{"fixed to the right", `<style>p::before{content:"Secret orders";position:fixed;left:300vw}</style><p></p>`},
	{"fixed below", `<style>p::before{content:"Secret orders";position:fixed;bottom:-9999px}</style><p></p>`},
	{"fixed, with a margin", `<style>p::before{content:"Secret orders";position:fixed;left:0;margin-left:300vw}</style><p></p>`},
	{"no visible content", `<style>p::before{content:"Secret orders";display:block;content-visibility:hidden}</style><p></p>`},
}

// None of these does.
var showingBefore = []trick{
	{"moved a little", `<style>p::before{content:"Secret orders";position:relative;left:10px}</style><p></p>`},
	{"turned a little", `<style>p::before{content:"Secret orders";display:inline-block;transform:rotate(5deg)}</style><p></p>`},
	{"a box that clips", `<style>p::before{content:"Secret orders";display:inline-block;overflow:hidden}</style><p></p>`},
	{"overflow of a line", `<style>p::before{content:"Secret orders";overflow:hidden;height:0}</style><p></p>`},
	{"fixed in the window", `<style>p::before{content:"Secret orders";position:fixed;left:50px;top:50px}</style><p></p>`},
	{"fixed in a box that is moved", `<style>p{width:300vw;height:30px;transform:translateX(-150vw)} p::before{content:"Secret orders";position:fixed;left:150vw;white-space:nowrap}</style><p></p>`},
	{"content of a line", `<style>p::before{content:"Secret orders";content-visibility:hidden}</style><p></p>`},
	{"a scale of a line", `<style>p::before{content:"Secret orders";transform:scale(0)}</style><p></p>`},
}

// Hidden texts are left out of each reading, and seen texts are not.
func TestTricks(t *testing.T) {
	p := show(t, frameOfTricks)
	for _, all := range []struct {
		tricks []trick
		seen   bool
	}{{hiding, false}, {cutting, false}, {illegible, false}, {unrendered, false}, {showing, true}} {
		for _, each := range all.tricks {
			p.put(each)
			for reading, got := range p.readings() {
				if strings.Contains(got, "Secret orders") != all.seen {
					t.Errorf("%s: the text is in the %s: %v\n%s", each.name, reading, !all.seen, each.markup)
				}
			}
		}
	}
}

// The same holds for the text of a ::before in a snapshot.
func TestTricksOfBefore(t *testing.T) {
	p := show(t, frameOfTricks)
	for _, all := range []struct {
		tricks []trick
		seen   bool
	}{{hidingBefore, false}, {showingBefore, true}} {
		for _, each := range all.tricks {
			p.put(each)
			if got := p.readings()["snapshot"]; strings.Contains(got, "Secret orders") != all.seen {
				t.Errorf("%s: the text is in the snapshot: %v\n%s", each.name, !all.seen, each.markup)
			}
		}
	}
}

// A text reads what a list and a drawing show: the label of an option, and a symbol that is used.
func TestTextOfOptionsAndSymbols(t *testing.T) {
	p := show(t, frameOfTricks)
	p.put(trick{"", `<select><option label="Seen label">Secret orders<option>Seen option</select>
		<svg width=300 height=40><symbol id=s><text y=25>Seen symbol</text></symbol><use href="#s"/></svg>`})
	var got string
	p.eval(&got, "chela.text('body', 1e6, 'omit').text")
	for _, want := range []string{"Seen label", "Seen option", "Seen symbol"} {
		if !strings.Contains(got, want) {
			t.Errorf("the text lacks %q:\n%s", want, got)
		}
	}
}

// readings returns what each way of reading says of the page without its hidden text.
func (p *tab) readings() map[string]string {
	p.t.Helper()
	all := map[string]string{"snapshot": snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'omit'")}, snapshot.Options{}).Text}
	all["snapshot once more"] = snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'omit'")}, snapshot.Options{}).Text // the rules are known now
	for reading, expression := range map[string]string{
		"text":         "chela.text('body', 1e6, 'omit').text",
		"HTML":         "chela.flatten('', 1e6, 'omit', 1e4).html",
		"HTML of body": "chela.flatten('body', 1e6, 'omit', 1e4).html",
		"field":        readBody("text"),
		"HTML field":   readBody("html"),
	} {
		var got string
		p.eval(&got, expression)
		all[reading] = got
	}
	return all
}

// readBody returns an expression that reads the body of a page, as a field of a type, without its
// hidden text.
func readBody(kind string) string {
	return fmt.Sprintf(`chela.fields({
		nodes: [{ id: 0, name: 'all', ref: 0, selector: 'body', attr: '', type: '%s', list: false, limit: 0, fields: [] }],
		maxChars: 1e6, maxValues: 10, maxMs: 1e4, hidden: 'omit', last: true }).values[0]`, kind)
}

const frameOfTricks = `<!doctype html><style>body { font: 16px/1.5 monospace; margin: 8px }</style><body>`

// put replaces the page by a trick, and starts the page script again.
func (p *tab) put(each trick) {
	p.t.Helper()
	markup, err := json.Marshal(each.markup)
	if err != nil {
		p.t.Fatal(err)
	}
	p.eval(nil, fmt.Sprintf("document.body.setHTMLUnsafe(%s)", markup))
	p.eval(nil, "delete globalThis.chelaVersion;"+pagejs.Source())
}

// This proves the lists of tricks. If a text is seen, a picture changes when its letters are put in
// another order. If nobody sees it, the picture stays the same. The test takes half a minute. Run
// it when the lists change:
//
//	CHELA_TEST_PICTURES=1 go test -run TestTricksInPictures ./internal/reading/pagejs
func TestTricksInPictures(t *testing.T) {
	if os.Getenv("CHELA_TEST_PICTURES") == "" {
		t.Skip("the tricks are those that were looked at")
	}
	p := show(t, frameOfTricks)
	for _, all := range []struct {
		tricks []trick
		seen   bool
	}{{hiding, false}, {cutting, false}, {showing, true}, {hidingBefore, false}, {showingBefore, true}} {
		for _, each := range all.tricks {
			p.put(each)
			before := p.picture()
			p.put(trick{each.name, strings.ReplaceAll(each.markup, "Secret orders", "treceS sredro")})
			if difference := unlike(before, p.picture()); (difference > 40) != all.seen {
				t.Errorf("%s: colors differ by %d:\n%s", each.name, difference, each.markup)
			}
		}
	}
}

func (p *tab) picture() image.Image {
	p.t.Helper()
	call(p.t, p.Session, page.BringToFront, cdp.Empty{}) // Chromium may make no picture of a tab in the background
	shot := call(p.t, p.Session, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatPng, Clip: &page.Viewport{Width: 400, Height: 220, Scale: 1}})
	picture, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		p.t.Fatal(err)
	}
	return picture
}

// unlike returns the largest difference between the colors of two pictures, from 0 to 255.
func unlike(a, b image.Image) (most int) {
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, bl2, _ := b.At(x, y).RGBA()
			for _, d := range []int{int(r) - int(r2), int(g) - int(g2), int(bl) - int(bl2)} {
				most = max(most, max(d, -d)>>8)
			}
		}
	}
	return most
}
